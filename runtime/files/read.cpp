// read(): the format is the extension.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/files/extension.h"
#include "runtime/files/files.h"
#include "runtime/storage.h"

namespace einloom {

namespace {

Tensor read_text(const Input& input, const std::string& kind, const ReadOptions& options) {
  if (kind == "tns") return read_tns(input, options);
  return kind == "csv" ? read_csv(input, options) : read_mtx(input, options);
}

Tensor read_file(const std::string& path, const ReadOptions& options) {
  const Extension extension = extension_of(path);
  if (extension.kind == "npz") {
    Input probe(path);  // the clearer messages when it is absent
    return read_npz(path, options);
  }
  const Input input(path);
  if (extension.kind == "npy") return read_npy(input);
  if (!extension.gzip) return read_text(input, extension.kind, options);
  return read_text(Input(path, gunzip(input)), extension.kind, options);
}

bool all_dense(const Format& format) {
  return !format.levels.empty() &&
         std::all_of(format.levels.begin(), format.levels.end(), [](Level l) { return l == Level::dense; });
}

}  // namespace

Tensor read(const std::string& path, const ReadOptions& options) {
  try {
    Tensor out = read_file(path, options);
    if (!options.shape.empty() && out.extents() != options.shape) {
      throw Error::input(
          fmt::format("{}: is {}, not {} as asked", path, shape_text(out.extents()), shape_text(options.shape)));
    }
    if (options.format && out.order() > 0) {
      if (all_dense(*options.format)) {
        out = out.to_dense(options.semiring);
      } else {
        out = reformat(out, *options.format, options.semiring);
      }
    }
    return options.dtype ? out.to_dtype(*options.dtype) : out;
  } catch (const std::bad_alloc&) {
    throw Error::memory("reading " + path, 0);
  } catch (const std::length_error&) {
    throw Error::memory("reading " + path, 0);
  }
}

}  // namespace einloom
