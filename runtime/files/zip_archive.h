// Zip archives. zip_archive.cpp is the only file that talks to libzip. Private to the runtime room.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace einloom {

class ZipReader {
 public:
  explicit ZipReader(const std::string& path);  // throws Error(input) naming the file
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;
  std::vector<std::string> names() const;
  std::string bytes(const std::string& name) const;  // checked against the archive's checksum and the memory there is

 private:
  std::string path_;
  void* archive_ = nullptr;
};

// Writes members uncompressed, in order, to the file `temporary`; `path` names it in messages.
void write_zip(const std::string& temporary, const std::string& path,
               const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace einloom
