// A file being written: it appears whole, by rename, or not at all. Private to the runtime room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace einloom {

class Output {
 public:
  explicit Output(const std::string& path);  // opens a temporary file beside it; pipes and devices are written directly
  ~Output();                                 // removes the temporary file unless committed
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes);
  void commit();  // closes and renames
  const std::string& path() const { return path_; }
  // For libraries that write by name: the temporary file's name, after closing our own handle on it.
  const std::string& release();

 private:
  [[noreturn]] void fail(const char* doing) const;
  std::string path_, target_, temporary_;
  int descriptor_ = -1;
};

}  // namespace einloom
