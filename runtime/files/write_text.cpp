// .tns, .csv and .mtx. Dense tensors drop their zeros; a 0-D tensor is a line with only its value.
#include <fmt/format.h>

#include "frontend/counted.h"
#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/files/files.h"
#include "runtime/files/text_rows.h"

namespace einloom {

namespace {

void write_coordinates(Output& output, const Tensor& tensor, bool gzip, int base, char separator,
                       const char* extension) {
  if (is_complex(tensor.dtype())) {
    throw Error::input(
        fmt::format("{}: {} holds real values only, the tensor is {}", output.path(), extension, name(tensor.dtype())));
  }
  if (tensor.order() > 0) {
    const Tensor sparse = tensor.sparse() ? tensor : tensor.to_sparse();
    return write_nonzeros(output, gzip, "", sparse, base, separator);
  }
  write_lines(output, gzip, "", 1, [&](std::string& out, std::int64_t, std::int64_t) {
    visit_type(tensor.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::type;
      append_number(out, *static_cast<const T*>(tensor.data_raw()));
    });
    out += '\n';
  });
}

}  // namespace

void write_tns(Output& output, const Tensor& tensor, bool gzip) {
  write_coordinates(output, tensor, gzip, 1, ' ', ".tns");
}

void write_csv(Output& output, const Tensor& tensor, bool gzip) {
  write_coordinates(output, tensor, gzip, 0, ',', ".csv");
}

void write_mtx(Output& output, const Tensor& tensor, bool gzip) {
  if (tensor.order() != 2) {
    throw Error::input(
        fmt::format("{}: .mtx holds matrices, the tensor has {}", output.path(), counted(tensor.order(), "mode")));
  }
  const DType type = tensor.dtype();
  const Tensor sparse = tensor.sparse() ? tensor : tensor.to_sparse();
  const char* const field = is_complex(type)                             ? "complex"
                            : is_integer(type) || type == DType::boolean ? "integer"
                                                                         : "real";
  const std::string head = fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n", field,
                                       sparse.extents()[0], sparse.extents()[1], sparse.nnz());
  write_nonzeros(output, gzip, head, sparse, 1, ' ');
}

}  // namespace einloom
