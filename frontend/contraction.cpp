#include "contraction.h"

#include <fmt/format.h>

#include "text.h"

namespace einloom {

namespace {

std::string labels_text(const std::vector<int>& labels) { return fmt::format("[{}]", fmt::join(labels, " ")); }

std::string storage_text(const TensorDesc& desc) {
  if (desc.sparse) return fmt::format("sparse {}, {} stored", to_string(desc.format), desc.nnz());
  std::int64_t stride = 1;
  bool row_major = true;
  for (std::size_t m = desc.extents.size(); m-- > 0;) {
    if (m >= desc.strides.size()) return "dense";
    row_major = row_major && (desc.extents[m] == 1 || desc.strides[m] == stride);
    if (__builtin_mul_overflow(stride, desc.extents[m], &stride)) stride = 0;
  }
  return row_major ? "dense" : fmt::format("dense, strides {}", fmt::join(desc.strides, ","));
}

}  // namespace

std::vector<std::int64_t> Contraction::output_extents() const {
  std::vector<std::int64_t> result_extents;
  for (const int label : output) result_extents.push_back(extents[static_cast<std::size_t>(label)]);
  return result_extents;
}

bool Contraction::same(const Contraction& other) const {
  return inputs == other.inputs && output == other.output && extents == other.extents && operands == other.operands &&
         semiring == other.semiring && result == other.result && compute == other.compute &&
         accumulate == other.accumulate;
}

std::string to_string(const Contraction& contraction) {
  Writer out;
  for (std::size_t t = 0; t < contraction.inputs.size(); ++t) {
    const TensorDesc& desc = contraction.operands[t];
    out.line(fmt::format("operand {}  {}  {} {}  {}", t, labels_text(contraction.inputs[t]), name(desc.dtype),
                         shape_text(desc.extents), storage_text(desc)));
  }
  out.line(fmt::format("output     {}  {} {}{}", labels_text(contraction.output), name(contraction.result),
                       shape_text(contraction.output_extents()), contraction.accumulate ? "  accumulated" : ""));
  std::vector<std::string> labels;
  for (std::size_t l = 0; l < contraction.extents.size(); ++l) {
    labels.push_back(
        fmt::format("{}={}:{}", l, l < contraction.names.size() ? contraction.names[l] : "", contraction.extents[l]));
  }
  out.line(fmt::format("labels     {}", labels.empty() ? "none" : join(labels, " ")));
  out.line(fmt::format("semiring   {}, sums kept in {}", name(contraction.semiring), name(contraction.compute)));
  return out.take();
}

}  // namespace einloom
