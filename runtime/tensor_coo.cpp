// Sparse tensors from lists of coordinates.
#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <limits>

#include "frontend/error.h"
#include "runtime/elements.h"
#include "runtime/levels.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

// Packs rows of coordinates; returns the first row with one out of range, or -1.
template <class I>
std::int64_t pack(Coo& coo, const I* coords, const std::vector<std::int64_t>& extents, const std::vector<int>& order) {
  const std::size_t modes = extents.size();
  std::atomic<std::int64_t> bad{std::numeric_limits<std::int64_t>::max()};
  parallel_for(coo.count, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const I* const at = coords + row * static_cast<std::int64_t>(modes);
      bool ok = true;
      for (std::size_t l = 0; l < modes; ++l) {
        const auto mode = static_cast<std::size_t>(order[l]);
        const auto c = static_cast<std::int64_t>(at[mode]);
        ok &= c >= 0 && c < extents[mode];
        const KeyLayout::Field f = coo.layout.fields[l];
        as<std::uint64_t>(coo.keys[static_cast<std::size_t>(f.word)])[row] |= static_cast<std::uint64_t>(c) << f.shift;
      }
      if (!ok) {
        std::int64_t known = bad.load();
        while (row < known && !bad.compare_exchange_weak(known, row)) {
        }
        return;
      }
    }
  });
  const std::int64_t first = bad.load();
  return first == std::numeric_limits<std::int64_t>::max() ? -1 : first;
}

template <class I>
void pack_checked(Coo& coo, const I* coords, const std::vector<std::int64_t>& extents, const std::vector<int>& order) {
  const std::int64_t row = pack(coo, coords, extents, order);
  if (row < 0) return;
  for (std::size_t m = 0; m < extents.size(); ++m) {
    const auto c = static_cast<std::int64_t>(
        coords[row * static_cast<std::int64_t>(extents.size()) + static_cast<std::int64_t>(m)]);
    if (c < 0 || c >= extents[m]) {
      throw Error::input(fmt::format("coordinate {} of non-zero {} in mode {} is out of range: the extent is {}", c,
                                     row, m, extents[m]));
    }
  }
}

}  // namespace

Tensor Tensor::coo_raw(DType type, std::vector<std::int64_t> extents, std::int64_t nnz, const void* coords, bool wide,
                       const void* values, Format format, Semiring semiring) {
  for (std::size_t m = 0; m < extents.size(); ++m) {
    if (extents[m] < 0) throw Error::input(fmt::format("extent {} of mode {} is negative", extents[m], m));
  }
  if (nnz < 0) throw Error::input(fmt::format("{} non-zeros: a count cannot be negative", nnz));
  if (nnz > 0 && (values == nullptr || (coords == nullptr && !extents.empty()))) {
    throw Error::input("non-zeros were announced, but the coordinates or values are a null pointer");
  }
  format = resolve(std::move(format), static_cast<int>(extents.size()));
  Coo coo = make_coo(key_layout(storage_extents(extents, format.order)), type, nnz, true);
  if (nnz > 0) std::memcpy(coo.values.get(), values, static_cast<std::size_t>(nnz) * size_of(type));
  if (wide) {
    pack_checked(coo, static_cast<const std::int64_t*>(coords), extents, format.order);
  } else {
    pack_checked(coo, static_cast<const std::int32_t*>(coords), extents, format.order);
  }
  sort_and_combine(coo, semiring);
  return build_levels(coo, extents, format, semiring);
}

}  // namespace einloom
