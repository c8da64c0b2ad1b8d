// .tns and .csv: a line a non-zero.
#include <fmt/format.h>

#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/files/files.h"
#include "runtime/files/table.h"

namespace einloom {

namespace {

Tensor read_coordinates(const Input& input, const ReadOptions& options, RowSyntax syntax) {
  syntax.shape = options.shape;
  syntax.order = options.shape.empty() ? -1 : static_cast<int>(options.shape.size());
  syntax.dtype = options.dtype.value_or(DType::f64);
  for (std::size_t m = 0; m < options.shape.size(); ++m) {
    if (options.shape[m] < 0) throw Error::input(fmt::format("extent {} of mode {} is negative", options.shape[m], m));
  }
  Rows rows = parse_rows(input, input.text_begin(), 1, syntax);
  if (rows.count == 0 && options.shape.empty()) input.fail("holds no non-zeros, so its shape must be given");
  if (rows.order == 0 && rows.count > 1) {
    input.fail(
        fmt::format("has lines of one column: expected coordinates and a value (or a single value, of a 0-D tensor)"));
  }
  const std::vector<std::int64_t> extents = options.shape.empty() ? rows.extents : options.shape;
  const Format format = resolve(options.format.value_or(csf()), rows.order);
  Coo coo = pack_rows(rows, syntax, extents, format);
  sort_and_combine(coo, options.semiring);
  return build_levels(coo, extents, format, options.semiring);
}

}  // namespace

Tensor read_tns(const Input& input, const ReadOptions& options) { return read_coordinates(input, options, {}); }

Tensor read_csv(const Input& input, const ReadOptions& options) {
  RowSyntax syntax;
  syntax.commas = true;
  syntax.base = 0;
  return read_coordinates(input, options, syntax);
}

}  // namespace einloom
