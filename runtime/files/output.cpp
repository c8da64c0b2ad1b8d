#include "runtime/files/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "frontend/error.h"

namespace einloom {

namespace {

constexpr int attempts = 1000;

struct Free {
  void operator()(char* p) const { std::free(p); }
};

}  // namespace

Output::Output(const std::string& path) : path_(path), target_(path) {
  if (path.empty() || path.find('\0') != std::string::npos)
    throw Error::input("an empty file name, or one with a zero byte");
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) throw Error::input(fmt::format("{}: is a folder, not a file", path));
    if (!S_ISREG(info.st_mode)) {
      descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor_ < 0) fail("opened for writing");
      return;
    }
    // A link keeps pointing at the file that is replaced.
    if (const std::unique_ptr<char, Free> real(::realpath(path.c_str(), nullptr)); real) target_ = real.get();
    if (::access(target_.c_str(), W_OK) != 0) fail("opened for writing");
  }
  for (int i = 0; i < attempts && descriptor_ < 0; ++i) {
    temporary_ = fmt::format("{}.{}-{}.part", target_, ::getpid(), i);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("created");
  }
}

Output::~Output() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::fail(const char* doing) const {
  throw Error::input(fmt::format("{}: cannot be {}: {}", path_, doing, std::strerror(errno)));
}

void Output::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("written");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

const std::string& Output::release() {
  if (temporary_.empty())
    throw Error::input(fmt::format("{}: this format can only be written to a regular file", path_));
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("written");
  return temporary_;
}

void Output::commit() {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail("written");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("put in place");
  temporary_.clear();
}

}  // namespace einloom
