#include "runtime/files/zip_archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>

#include "frontend/error.h"
#include "runtime/memory.h"

namespace einloom {

namespace {

zip_t* handle(void* archive) { return static_cast<zip_t*>(archive); }

std::string text_of(int code) {
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

struct CloseMember {
  void operator()(zip_file_t* f) const { zip_fclose(f); }
};
struct Discard {
  void operator()(zip_t* z) const { zip_discard(z); }
};

}  // namespace

ZipReader::ZipReader(const std::string& path) : path_(path) {
  int code = 0;
  archive_ = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (archive_ == nullptr)
    throw Error::input(fmt::format("{}: cannot be read as a zip archive: {}", path, text_of(code)));
}

ZipReader::~ZipReader() { zip_discard(handle(archive_)); }

std::vector<std::string> ZipReader::names() const {
  std::vector<std::string> out;
  const zip_int64_t count = zip_get_num_entries(handle(archive_), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* const name = zip_get_name(handle(archive_), static_cast<zip_uint64_t>(i), 0);
    out.emplace_back(name != nullptr ? name : "");
  }
  return out;
}

std::string ZipReader::bytes(const std::string& name) const {
  zip_stat_t info;
  zip_stat_init(&info);
  const auto fail = [&](std::string_view what) { throw Error::input(fmt::format("{}: {}: {}", path_, name, what)); };
  if (zip_stat(handle(archive_), name.c_str(), 0, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0)
    fail("is not in the archive");
  if (info.size > (zip_uint64_t{1} << 62)) fail("announces an impossible size");
  check_memory(static_cast<std::int64_t>(info.size), path_.c_str());
  const std::unique_ptr<zip_file_t, CloseMember> file(zip_fopen(handle(archive_), name.c_str(), 0));
  if (!file) fail(zip_strerror(handle(archive_)));
  // Grown as the bytes come: a damaged archive may announce any size.
  std::string out;
  constexpr std::size_t step = 1 << 20;
  for (;;) {
    const std::size_t old = out.size();
    out.resize(old + std::min<std::size_t>(std::max(step, old), info.size - old + 1));
    const zip_int64_t n = zip_fread(file.get(), out.data() + old, out.size() - old);
    if (n < 0) fail(zip_file_strerror(file.get()));
    out.resize(old + static_cast<std::size_t>(n));
    if (n == 0) break;
    if (out.size() > info.size) fail("is larger than the archive says");
  }
  if (out.size() != info.size) fail("is shorter than the archive says");
  return out;
}

void write_zip(const std::string& temporary, const std::string& path,
               const std::vector<std::pair<std::string, std::string>>& members) {
  int code = 0;
  std::unique_ptr<zip_t, Discard> archive(zip_open(temporary.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!archive) throw Error::input(fmt::format("{}: cannot be written: {}", path, text_of(code)));
  const auto fail = [&] {
    throw Error::input(fmt::format("{}: cannot be written: {}", path, zip_strerror(archive.get())));
  };
  for (const auto& [name, bytes] : members) {
    zip_source_t* const source = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
    if (source == nullptr) fail();
    const zip_int64_t index = zip_file_add(archive.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      fail();
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    // A fixed date (1980-01-01), so that equal tensors give equal files.
    zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), 0, 0x21, 0);
  }
  if (zip_close(archive.get()) != 0) fail();
  archive.release();
}

}  // namespace einloom
