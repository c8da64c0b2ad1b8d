#include "runtime/files/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "frontend/error.h"
#include "runtime/memory.h"

namespace einloom {

namespace {

// read() or pread() until `count` bytes or the end; the number read, or -1.
template <class F>
std::int64_t read_fully(F&& once, std::int64_t count) {
  std::int64_t done = 0;
  while (done < count) {
    const ssize_t n = once(done, static_cast<std::size_t>(std::min<std::int64_t>(count - done, std::int64_t{1} << 30)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += n;
  }
  return done;
}

}  // namespace

Input::Input(const std::string& path) : path_(path) {
  if (path.empty()) throw Error::input("an empty file name");
  if (path.find('\0') != std::string::npos) throw Error::input("a file name with a zero byte");
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    throw Error::input(errno == ENOENT ? fmt::format("{}: there is no such file", path)
                                       : fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  }
  try {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) fail(std::strerror(errno));
    if (S_ISDIR(info.st_mode)) fail("is a folder, not a file");
    // A device may never end.
    if (S_ISCHR(info.st_mode)) fail("is a character device, not a file or a pipe");
    if (S_ISBLK(info.st_mode)) fail("is a block device, not a file or a pipe");
    if (S_ISREG(info.st_mode)) {
      size_ = info.st_size;
      return;
    }
    constexpr std::int64_t step = 1 << 20;
    for (;;) {
      const std::size_t old = memory_.size();
      check_memory(static_cast<std::int64_t>(old) * 2, path.c_str());
      memory_.resize(old + step);
      const std::int64_t n = read_fully(
          [&](std::int64_t done, std::size_t count) { return ::read(descriptor_, memory_.data() + old + done, count); },
          step);
      if (n < 0) fail(std::strerror(errno));
      memory_.resize(old + static_cast<std::size_t>(n));
      if (n < step) break;
    }
    size_ = static_cast<std::int64_t>(memory_.size());
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  ::close(descriptor_);
  descriptor_ = -1;
}

Input::Input(std::string path, std::string bytes)
    : path_(std::move(path)), size_(static_cast<std::int64_t>(bytes.size())), memory_(std::move(bytes)) {}

Input::~Input() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Input::read(std::int64_t offset, void* out, std::int64_t count) const {
  if (count == 0) return;
  if (offset < 0 || count < 0 || count > size_ - offset) fail("ends too early");
  if (descriptor_ < 0) {
    std::memcpy(out, memory_.data() + offset, static_cast<std::size_t>(count));
    return;
  }
  const std::int64_t n = read_fully(
      [&](std::int64_t done, std::size_t part) {
        return ::pread(descriptor_, static_cast<char*>(out) + done, part, offset + done);
      },
      count);
  if (n < 0) fail(std::strerror(errno));
  if (n < count) fail("became shorter while it was read");
}

std::string Input::text() const {
  check_memory(size_, path_.c_str());
  std::string out(static_cast<std::size_t>(size_), '\0');
  read(0, out.data(), size_);
  return out;
}

std::int64_t Input::text_begin() const {
  char start[3] = {};
  if (size_ < 3) return 0;
  read(0, start, 3);
  return std::memcmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

void Input::fail(std::string_view what) const { throw Error::input(fmt::format("{}: {}", path_, what)); }

void Input::fail(std::int64_t line, std::string_view what) const {
  throw Error::input(fmt::format("{}:{}: {}", path_, line, what));
}

}  // namespace einloom
