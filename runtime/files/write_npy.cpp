// .npy version 1.0, C order, little-endian; bf16 as '|V2', as ml_dtypes writes it.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/files/files.h"

namespace einloom {

namespace {

const char* descr_of(DType type) {
  static constexpr const char* names[dtype_count] = {"|b1", "<i4", "<i8", "<f2", "|V2", "<f4", "<f8", "<c8", "<c16"};
  return names[static_cast<int>(type)];
}

}  // namespace

std::string npy_header(DType type, const std::vector<std::int64_t>& extents) {
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr_of(type),
                                       fmt::join(extents, ", "), extents.size() == 1 ? "," : "");
  const std::size_t wide = dictionary.size() + 1 > 65000 ? 2 : 0;  // version 2.0 has a longer length field
  const std::size_t unpadded = 10 + wide + dictionary.size() + 1;
  dictionary.append((64 - unpadded % 64) % 64, ' ');
  dictionary += '\n';
  std::string out("\x93NUMPY", 6);
  out += static_cast<char>(wide != 0 ? 2 : 1);
  out += '\0';
  for (std::size_t b = 0; b < 2 + wide; ++b) out += static_cast<char>(dictionary.size() >> (8 * b) & 0xFF);
  return out + dictionary;
}

void write_npy(Output& output, const Tensor& tensor) {
  const Tensor dense = tensor.to_dense();
  output.write(npy_header(dense.dtype(), dense.extents()));
  const std::size_t bytes = static_cast<std::size_t>(dense.desc().size()) * size_of(dense.dtype());
  output.write({static_cast<const char*>(dense.data_raw()), bytes});
}

}  // namespace einloom
