#include "bounds.h"

#include <algorithm>

namespace einloom {

namespace {

std::int64_t index_at(const Bytes& array, bool wide, std::int64_t i) {
  return wide ? static_cast<const std::int64_t*>(array.get())[i] : static_cast<const std::int32_t*>(array.get())[i];
}

// Leaves that lie before level-0 position p.
std::int64_t leaves_before(const Storage& s, std::int64_t p) {
  for (std::size_t l = 1; l < s.levels.size(); ++l) {
    switch (s.desc.format.levels[l]) {
      case Level::dense:
        p *= s.desc.extents[static_cast<std::size_t>(s.desc.format.order[l])];
        break;
      case Level::compressed:
      case Level::nonunique:
        p = index_at(s.levels[l].pos, s.desc.wide, p);
        break;
      case Level::singleton:
        break;
    }
  }
  return p;
}

}  // namespace

std::vector<std::int64_t> chunk_bounds(const Phase& phase, const Storage* led) {
  std::vector<std::int64_t> bounds(static_cast<std::size_t>(phase.chunks) + 1, 0);
  if (phase.partition != Phase::Partition::nodes) {
    // floor(i * extent / chunks) without overflow
    const std::int64_t whole = phase.extent / phase.chunks, rest = phase.extent % phase.chunks;
    for (std::int64_t i = 0; i <= phase.chunks; ++i)
      bounds[static_cast<std::size_t>(i)] = i * whole + i * rest / phase.chunks;
    return bounds;
  }
  const std::int64_t nodes = led->desc.nodes.front(), leaves = leaves_before(*led, nodes);
  const std::int64_t whole = leaves / phase.chunks, rest = leaves % phase.chunks;
  for (std::int64_t i = 1; i < phase.chunks; ++i) {
    const std::int64_t want = i * whole + i * rest / phase.chunks;
    std::int64_t lo = bounds[static_cast<std::size_t>(i) - 1], hi = nodes;
    while (lo < hi) {
      const std::int64_t mid = lo + (hi - lo) / 2;
      if (leaves_before(*led, mid) < want)
        lo = mid + 1;
      else
        hi = mid;
    }
    bounds[static_cast<std::size_t>(i)] = lo;
  }
  bounds.back() = nodes;
  return bounds;
}

}  // namespace einloom
