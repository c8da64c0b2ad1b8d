// Packing coordinates into keys and unpacking them. Private to the runtime room.
#pragma once

#include "runtime/memory.h"
#include "runtime/storage.h"

namespace einloom {

// Extents in storage order.
std::vector<std::int64_t> storage_extents(const std::vector<std::int64_t>& extents, const std::vector<int>& order);
// An empty Coo with room for `count` rows, all keys zero-filled when `clear`.
Coo make_coo(const KeyLayout& layout, DType dtype, std::int64_t count, bool clear = false);

inline std::uint64_t field_mask(const KeyLayout::Field& f) {
  return f.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
}
inline std::int64_t field_of(const Coo& coo, std::size_t level, std::int64_t row) {
  const KeyLayout::Field f = coo.layout.fields[level];
  const std::uint64_t word = as<std::uint64_t>(coo.keys[static_cast<std::size_t>(f.word)])[row];
  return static_cast<std::int64_t>((word >> f.shift) & field_mask(f));
}

// True when the last level is dense, so that stored positions may be fill.
bool has_fill(const Format& format);
bool wide_indices(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& nodes);
// Dense tensors from the stored values, a 0-D Coo as a dense scalar.
Tensor scalar_of(const Coo& coo, Semiring semiring);

}  // namespace einloom
