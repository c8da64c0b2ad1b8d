// .npz in the layout of pydata/sparse's COO: coords (a row a mode), data, shape, fill_value, format. A 0-D tensor is
// one plain array.
#include <cstring>

#include "runtime/files/files.h"
#include "runtime/files/zip_archive.h"
#include "runtime/storage.h"

namespace einloom {

namespace {

std::string array_of(DType type, const std::vector<std::int64_t>& extents, const void* data) {
  std::string out = npy_header(type, extents);
  const std::int64_t count = checked_product(extents, "the size of an array");
  out.append(static_cast<const char*>(data), static_cast<std::size_t>(count) * size_of(type));
  return out;
}

}  // namespace

void write_npz(Output& output, const Tensor& tensor) {
  std::vector<std::pair<std::string, std::string>> members;
  if (tensor.order() == 0) {
    members.emplace_back("arr_0.npy", array_of(tensor.dtype(), {}, tensor.data_raw()));
  } else {
    // Readers take the coordinates to be sorted in natural order.
    const Tensor sorted = reformat(tensor, coo(), Semiring::plus_times);
    const std::vector<std::int64_t> rows = sorted.coordinates();
    const auto modes = static_cast<std::size_t>(sorted.order()), count = static_cast<std::size_t>(sorted.nnz());
    std::vector<std::int64_t> columns(rows.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t m = 0; m < modes; ++m) columns[m * count + i] = rows[i * modes + m];
    }
    const auto n = static_cast<std::int64_t>(count), d = static_cast<std::int64_t>(modes);
    const char zero[16] = {};
    // The text 'coo' in UCS-4, as NumPy stores a str.
    std::string format = npy_header(DType::c64, {});
    format.replace(format.find("<c8"), 3, "<U3");
    for (const char c : {'c', 'o', 'o'}) format.append({c, '\0', '\0', '\0'});
    members.emplace_back("format.npy", format);
    members.emplace_back("shape.npy", array_of(DType::i64, {d}, sorted.extents().data()));
    members.emplace_back("data.npy", array_of(sorted.dtype(), {n}, sorted.data_raw()));
    members.emplace_back("coords.npy", array_of(DType::i64, {d, n}, columns.data()));
    members.emplace_back("fill_value.npy", array_of(sorted.dtype(), {}, zero));
  }
  write_zip(output.release(), output.path(), members);
}

}  // namespace einloom
