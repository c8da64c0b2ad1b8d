// zlib: the only file that talks to it.
#include "runtime/files/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "frontend/error.h"
#include "runtime/files/input.h"
#include "runtime/memory.h"

namespace einloom {

namespace {

constexpr int gzip_window = 15 + 16;
constexpr std::int64_t step = 1 << 20;

struct EndInflate {
  void operator()(z_stream* s) const { inflateEnd(s); }
};
struct EndDeflate {
  void operator()(z_stream* s) const { deflateEnd(s); }
};

}  // namespace

std::string gunzip(const Input& input) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) throw Error::memory("decompressing", 1 << 16);
  const std::unique_ptr<z_stream, EndInflate> end(&stream);
  std::string out, block(static_cast<std::size_t>(step), '\0');
  bool inside = false;  // of a member: its end has not been seen
  std::size_t used = 0;
  if (input.size() == 0) input.fail("is empty, not a gzip file");
  for (std::int64_t offset = 0; offset < input.size();) {
    const std::int64_t count = std::min(step, input.size() - offset);
    input.read(offset, block.data(), count);
    offset += count;
    stream.next_in = reinterpret_cast<Bytef*>(block.data());
    stream.avail_in = static_cast<uInt>(count);
    while (stream.avail_in > 0 || (inside && stream.avail_out == 0)) {
      if (used == out.size()) {
        const std::size_t grown = std::max<std::size_t>(static_cast<std::size_t>(step), out.size() * 2);
        check_memory(static_cast<std::int64_t>(grown), "the text of a .gz file");
        out.resize(grown);
      }
      const std::size_t room = std::min<std::size_t>(out.size() - used, 1u << 30);
      stream.next_out = reinterpret_cast<Bytef*>(out.data() + used);
      stream.avail_out = static_cast<uInt>(room);
      inside = true;
      const int status = inflate(&stream, Z_NO_FLUSH);
      used += room - stream.avail_out;
      if (status == Z_STREAM_END) {
        inside = false;
        inflateReset(&stream);
      } else if (status == Z_MEM_ERROR) {
        throw Error::memory("decompressing", 1 << 16);
      } else if (status == Z_BUF_ERROR) {
        break;  // needs more input
      } else if (status != Z_OK) {
        input.fail(used == 0 ? "is not a gzip file, or its start is damaged" : "the compressed data are damaged");
      }
    }
  }
  if (inside) input.fail("the compressed data end too early");
  out.resize(used);
  return out;
}

void write_gzip(Output& output, std::string_view text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error::memory("compressing", 1 << 19);
  }
  const std::unique_ptr<z_stream, EndDeflate> end(&stream);
  std::string block(static_cast<std::size_t>(step), '\0');
  std::size_t done = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && done < text.size()) {
      const std::size_t count = std::min<std::size_t>(text.size() - done, 1u << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data() + done));
      stream.avail_in = static_cast<uInt>(count);
      done += count;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = deflate(&stream, done == text.size() ? Z_FINISH : Z_NO_FLUSH);
    if (status == Z_STREAM_ERROR) throw Error::internal("zlib refused to compress");
    output.write({block.data(), block.size() - stream.avail_out});
  }
}

}  // namespace einloom
