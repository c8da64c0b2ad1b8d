#include "tensor_desc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "text.h"

namespace einloom {

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

void check_extents(const std::vector<std::int64_t>& extents) {
  for (std::size_t m = 0; m < extents.size(); ++m) {
    if (extents[m] < 0) throw Error::input(fmt::format("extent {} of mode {} is negative", extents[m], m));
  }
}

std::int64_t saturating_product(const std::vector<std::int64_t>& extents) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t e : extents) {
    if (__builtin_mul_overflow(product, e, &product)) return most;
  }
  return product;
}

// Distinct cells hit when nnz coordinates fall uniformly on `cells` cells.
std::int64_t expected_distinct(double cells, std::int64_t nnz) {
  if (nnz == 0 || cells == 0) return 0;
  const double n = static_cast<double>(nnz);
  const double hit = -cells * std::expm1(n * std::log1p(-1.0 / cells));
  const double bounded = std::min({std::max(std::round(hit), 1.0), n, cells});
  return bounded >= 9.2e18 ? nnz : std::min(nnz, static_cast<std::int64_t>(bounded));
}

// Nodes of each level of a resolved format.
std::vector<std::int64_t> expected_nodes(const std::vector<std::int64_t>& extents, std::int64_t nnz,
                                         const Format& format) {
  const std::size_t count = format.levels.size();
  std::vector<std::int64_t> nodes(count);
  std::vector<double> cells(count);
  for (std::size_t l = 0; l < count; ++l) {
    cells[l] = (l == 0 ? 1.0 : cells[l - 1]) * static_cast<double>(extents[static_cast<std::size_t>(format.order[l])]);
  }
  for (std::size_t l = 0; l < count; ++l) {
    const std::int64_t extent = extents[static_cast<std::size_t>(format.order[l])];
    if (format.levels[l] == Level::dense) {
      nodes[l] = checked_mul(l == 0 ? 1 : nodes[l - 1], extent, "the number of stored positions");
      continue;
    }
    // A nonunique level and its singletons are one group: as many positions as the group has distinct coordinates.
    std::size_t last = l;
    while (last + 1 < count && format.levels[last + 1] == Level::singleton) ++last;
    const std::int64_t distinct = last + 1 == count ? nnz : expected_distinct(cells[last], nnz);
    for (; l < last; ++l) nodes[l] = distinct;
    nodes[last] = distinct;
  }
  return nodes;
}

}  // namespace

std::int64_t TensorDesc::size() const { return saturating_product(extents); }

std::int64_t TensorDesc::nnz() const { return sparse && !nodes.empty() ? nodes.back() : size(); }

TensorDesc dense_desc(DType dtype, std::vector<std::int64_t> extents) {
  std::vector<std::int64_t> strides = row_major(extents);
  return dense_desc(dtype, std::move(extents), std::move(strides));
}

TensorDesc dense_desc(DType dtype, std::vector<std::int64_t> extents, std::vector<std::int64_t> strides) {
  check_extents(extents);
  if (extents.size() != strides.size()) {
    throw Error::input(fmt::format("a tensor of {} modes was given {} strides", extents.size(), strides.size()));
  }
  TensorDesc desc;
  desc.dtype = dtype;
  desc.extents = std::move(extents);
  desc.strides = std::move(strides);
  return desc;
}

TensorDesc sparse_desc(DType dtype, std::vector<std::int64_t> extents, std::int64_t nnz, Format format) {
  check_extents(extents);
  TensorDesc desc;
  desc.dtype = dtype;
  desc.extents = std::move(extents);
  desc.sparse = true;
  desc.format = resolve(std::move(format), desc.order());
  if (nnz < 0 || nnz > desc.size()) {
    throw Error::input(fmt::format("a tensor of shape {} cannot have {} non-zeros", shape_text(desc.extents), nnz));
  }
  desc.nodes = expected_nodes(desc.extents, nnz, desc.format);
  constexpr std::int64_t narrow = std::int64_t{1} << 31;
  const auto large = [](std::int64_t n) { return n >= narrow; };
  desc.wide = std::any_of(desc.extents.begin(), desc.extents.end(), large) ||
              std::any_of(desc.nodes.begin(), desc.nodes.end(), large);
  return desc;
}

std::vector<std::int64_t> row_major(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t stride = 1;
  for (std::size_t m = extents.size(); m-- > 0;) {
    strides[m] = stride;
    // The outermost extent is in no stride.
    if (m > 0) stride = checked_mul(stride, std::max<std::int64_t>(extents[m], 1), "the strides of a dense tensor");
  }
  return strides;
}

std::int64_t checked_mul(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw Error::input(fmt::format("{}: {} x {} does not fit 64 bits", what, a, b));
  }
  return product;
}

std::int64_t checked_add(std::int64_t a, std::int64_t b, const char* what) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum))
    throw Error::input(fmt::format("{}: {} + {} does not fit 64 bits", what, a, b));
  return sum;
}

std::int64_t checked_product(const std::vector<std::int64_t>& extents, const char* what) {
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t e : extents) {
    if (__builtin_mul_overflow(product, e, &product)) {
      throw Error::input(fmt::format("{}: {} does not fit 64 bits", what, shape_text(extents)));
    }
  }
  return product;
}

}  // namespace einloom
