// A file opened for reading: its size and its bytes. Pipes are read whole into memory; folders and
// devices are refused. Private to the runtime room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace einloom {

class Input {
 public:
  explicit Input(const std::string& path);     // throws Error(input) naming the file when it cannot be read
  Input(std::string path, std::string bytes);  // bytes in memory, under the file's name
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  const std::string& path() const { return path_; }
  std::int64_t size() const { return size_; }
  // Exactly `count` bytes from `offset`; throws when the file ends before. Threads may read at once.
  void read(std::int64_t offset, void* out, std::int64_t count) const;
  std::string text() const;                             // all bytes
  std::int64_t text_begin() const;                      // 3 after a UTF-8 byte order mark, otherwise 0
  [[noreturn]] void fail(std::string_view what) const;  // Error(input): "path: what"
  [[noreturn]] void fail(std::int64_t line, std::string_view what) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
  std::string memory_;
};

// The text behind a .gz file.
std::string gunzip(const Input& input);

}  // namespace einloom
