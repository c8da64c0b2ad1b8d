// .npz as written by scipy.sparse (csr, csc, coo) and pydata/sparse (COO, GCXS), or with one plain array.
//
// All compressed forms are one: GCXS flattens some axes into rows and the rest into columns; CSR and CSC are its cases
// of order 2.
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <limits>

#include "frontend/counted.h"
#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/files/files.h"
#include "runtime/files/npy_header.h"
#include "runtime/files/zip_archive.h"
#include "runtime/memory.h"
#include "runtime/storage.h"

namespace einloom {

namespace {

class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path), zip_(path), names_(zip_.names()) {}

  [[noreturn]] void fail(std::string_view what) const { throw Error::input(fmt::format("{}: {}", path_, what)); }
  std::size_t count() const { return names_.size(); }
  const std::string& first() const { return names_[0]; }

  bool has(const std::string& name) const {
    return std::find(names_.begin(), names_.end(), name + ".npy") != names_.end();
  }
  Tensor raw(const std::string& member) const {
    return read_npy(Input(path_ + ": " + member, zip_.bytes(member))).contiguous();
  }
  Tensor array(const std::string& name) const {
    if (!has(name)) fail(fmt::format("has no array '{}'", name));
    return raw(name + ".npy");
  }
  // An array of integers, as 64 bits.
  Tensor integers(const std::string& name, int order) const {
    const Tensor a = array(name);
    if (!is_integer(a.dtype())) fail(fmt::format("{} holds {}, not integers", name, einloom::name(a.dtype())));
    if (a.order() != order) fail(fmt::format("{} has {}, not {}", name, counted(a.order(), "mode"), order));
    return a.to_dtype(DType::i64);
  }
  std::vector<std::int64_t> list(const std::string& name) const {
    const Tensor a = integers(name, 1);
    return {a.data<std::int64_t>(), a.data<std::int64_t>() + a.nnz()};
  }
  // A 0-D array of text, bytes or UCS-4.
  std::string word(const std::string& name) const {
    const Input input(path_ + ": " + name, zip_.bytes(name + ".npy"));
    const NpyHeader header = read_npy_header(input);
    if (!header.shape.empty() ||
        (header.descr.find('S') == std::string::npos && header.descr.find('U') == std::string::npos)) {
      fail(fmt::format("{} is not a text", name));
    }
    std::string out;
    for (const char c : input.text().substr(static_cast<std::size_t>(header.data))) {
      if (c != '\0') out += c;
    }
    return out;
  }

 private:
  std::string path_;
  ZipReader zip_;
  std::vector<std::string> names_;
};

using Index = std::int64_t;

// Coordinates by row, from one array a mode or a matrix with one row a mode.
std::vector<Index> interleave(const std::vector<const Index*>& modes, Index count) {
  check_memory(checked_mul(checked_mul(count, static_cast<Index>(modes.size()), "a list of coordinates"), 8,
                           "a list of coordinates"),
               "a list of coordinates");
  std::vector<Index> out(static_cast<std::size_t>(count) * modes.size());
  for (std::size_t m = 0; m < modes.size(); ++m) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) out[i * modes.size() + m] = modes[m][i];
  }
  return out;
}

std::vector<Index> decompress(const Archive& archive, const std::vector<Index>& shape, const std::vector<Index>& axes,
                              Index count) {
  const std::vector<Index> starts = archive.list("indptr"), indices = archive.list("indices");
  std::vector<bool> used(shape.size(), false);
  std::vector<std::size_t> row_modes, column_modes;
  for (const Index axis : axes) {
    if (axis < 0 || axis >= static_cast<Index>(shape.size()) || used[static_cast<std::size_t>(axis)])
      archive.fail("compressed_axes are wrong");
    used[static_cast<std::size_t>(axis)] = true;
    row_modes.push_back(static_cast<std::size_t>(axis));
  }
  for (std::size_t m = 0; m < shape.size(); ++m) {
    if (!used[m]) column_modes.push_back(m);
  }
  Index rows = 1, columns = 1;
  for (const std::size_t m : row_modes) rows = checked_mul(rows, shape[m], "the rows of a compressed array");
  for (const std::size_t m : column_modes)
    columns = checked_mul(columns, shape[m], "the columns of a compressed array");
  if (static_cast<Index>(indices.size()) != count)
    archive.fail(fmt::format("has {}, but {}", counted(count, "value"), counted(indices.size(), "index", "indices")));
  if (rows == std::numeric_limits<Index>::max() || static_cast<Index>(starts.size()) != rows + 1) {
    archive.fail(fmt::format("indptr has {}, where {} and one more are expected",
                             counted(starts.size(), "entry", "entries"), rows));
  }
  if (starts.front() != 0 || starts.back() != count) archive.fail("indptr does not run from 0 to the number of values");
  std::vector<Index> out(indices.size() * shape.size());
  const auto put = [&](const std::vector<std::size_t>& modes, Index value, Index at) {
    for (std::size_t k = modes.size(); k-- > 0;) {
      out[static_cast<std::size_t>(at) * shape.size() + modes[k]] = value % shape[modes[k]];
      value /= shape[modes[k]];
    }
  };
  for (Index r = 0; r < rows; ++r) {
    const Index begin = starts[static_cast<std::size_t>(r)], end = starts[static_cast<std::size_t>(r) + 1];
    if (begin > end || end > count) archive.fail(fmt::format("indptr decreases at row {}", r));
    for (Index i = begin; i < end; ++i) {
      const Index c = indices[static_cast<std::size_t>(i)];
      if (c < 0 || c >= columns)
        archive.fail(
            fmt::format("index {} in row {} is out of range, there being {}", c, r, counted(columns, "column")));
      put(row_modes, r, i);
      put(column_modes, c, i);
    }
  }
  return out;
}

void check_fill(const Archive& archive, DType type, Semiring semiring) {
  if (!archive.has("fill_value")) return;
  const Tensor fill = archive.array("fill_value");
  if (fill.desc().size() != 1) archive.fail("fill_value is not a single number");
  Tensor zero = make_dense(type, {});
  write_identity(type, semiring, zero.storage()->data);
  const auto found = fill.to_dtype(DType::c128).item<std::complex<double>>();
  const auto wanted = zero.to_dtype(DType::c128).item<std::complex<double>>();
  if (found != wanted) {
    archive.fail(fmt::format("has the fill value {}, but under {} what is left out must be {}", found.real(),
                             name(semiring), wanted.real()));
  }
}

Tensor read_sparse(const Archive& archive, const ReadOptions& options) {
  const std::string format = archive.has("format") ? archive.word("format") : archive.has("coords") ? "coo" : "gcxs";
  const std::vector<Index> shape = archive.list("shape");
  for (const Index extent : shape) {
    if (extent < 0) archive.fail(fmt::format("shape has a negative extent {}", extent));
  }
  if (format != "coo" && format != "csr" && format != "csc" && format != "gcxs") {
    archive.fail(fmt::format("is stored as '{}': csr, csc, coo and gcxs are read; convert it first", format));
  }
  const Tensor values = archive.array("data");
  if (values.order() != 1) archive.fail("data is not a list of values");
  const Index count = values.nnz();
  check_fill(archive, values.dtype(), options.semiring);
  std::vector<Index> coords;
  if (archive.has("coords")) {
    const Tensor c = archive.integers("coords", 2);
    if (c.extents() != std::vector<Index>{static_cast<Index>(shape.size()), count}) {
      archive.fail(fmt::format("coords is {}, where {} and {} need {}x{}", shape_text(c.extents()),
                               counted(shape.size(), "mode"), counted(count, "value"), shape.size(), count));
    }
    std::vector<const Index*> modes;
    for (std::size_t m = 0; m < shape.size(); ++m) modes.push_back(c.data<Index>() + static_cast<Index>(m) * count);
    coords = interleave(modes, count);
  } else if (format == "coo") {
    const Tensor row = archive.integers("row", 1), column = archive.integers("col", 1);
    if (shape.size() != 2 || row.nnz() != count || column.nnz() != count)
      archive.fail("row, col, data and shape do not fit each other");
    coords = interleave({row.data<Index>(), column.data<Index>()}, count);
  } else {
    if (format != "gcxs" && shape.size() != 2)
      archive.fail(fmt::format("is {}, but has {}", format, counted(shape.size(), "mode")));
    const std::vector<Index> axes = format == "csr"   ? std::vector<Index>{0}
                                    : format == "csc" ? std::vector<Index>{1}
                                                      : archive.list("compressed_axes");
    coords = decompress(archive, shape, axes, count);
  }
  return Tensor::coo_raw(values.dtype(), shape, count, coords.data(), true, values.data_raw(),
                         options.format.value_or(csf()), options.semiring);
}

}  // namespace

Tensor read_npz(const std::string& path, const ReadOptions& options) {
  const Archive archive(path);
  if (archive.has("shape") && archive.has("data")) {
    try {
      return read_sparse(archive, options);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::input || error.message().rfind(path, 0) == 0) throw;
      archive.fail(error.message());
    }
  }
  if (archive.count() != 1) {
    archive.fail(fmt::format("holds {}: expected one, or a sparse array of scipy.sparse or pydata/sparse",
                             counted(archive.count(), "array")));
  }
  return archive.raw(archive.first());
}

}  // namespace einloom
