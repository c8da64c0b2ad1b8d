// Visits the stored positions of a sparse tensor in order. Private to the runtime room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/elements.h"
#include "runtime/levels.h"
#include "runtime/parallel.h"

namespace einloom {

// The coordinates of one position after the other, found from the leaf up; levels that did not move are left as they
// are.
template <class I>
class Walker {
 public:
  Walker(const Storage& storage, std::int64_t first) : storage_(storage), levels_(storage.desc.format.levels.size()) {
    at_.resize(levels_);
    position_.assign(levels_ + 1, 0);
    const auto& format = storage.desc.format;
    for (std::size_t l = levels_; l-- > 0;) {
      extents_.insert(extents_.begin(), storage.desc.extents[static_cast<std::size_t>(format.order[l])]);
    }
    std::int64_t p = first;
    for (std::size_t l = levels_; l-- > 0;) {
      position_[l + 1] = p;
      if (has_pos(l)) {
        const I* const pos = as<I>(storage.levels[l].pos);
        p = std::upper_bound(pos, pos + parents(l) + 1, static_cast<I>(p)) - pos - 1;
      } else if (format.levels[l] == Level::dense) {
        p /= extents_[l];
      }
      at_[l] = coordinate(l);
    }
  }

  const std::vector<std::int64_t>& at() const { return at_; }

  void next() {
    std::int64_t p = position_[levels_] + 1;
    for (std::size_t l = levels_; l-- > 0;) {
      if (position_[l + 1] == p) return;
      position_[l + 1] = p;
      at_[l] = coordinate(l);
      if (has_pos(l)) {
        const I* const pos = as<I>(storage_.levels[l].pos);
        std::int64_t parent = position_[l];
        while (static_cast<std::int64_t>(pos[parent + 1]) <= p) ++parent;
        p = parent;
      } else if (storage_.desc.format.levels[l] == Level::dense) {
        p /= extents_[l];
      }
    }
  }

 private:
  bool has_pos(std::size_t l) const {
    const Level level = storage_.desc.format.levels[l];
    return level == Level::compressed || level == Level::nonunique;
  }
  std::int64_t parents(std::size_t l) const { return l == 0 ? 1 : storage_.desc.nodes[l - 1]; }
  std::int64_t coordinate(std::size_t l) const {
    const std::int64_t p = position_[l + 1];
    if (storage_.desc.format.levels[l] == Level::dense) return p % extents_[l];
    return static_cast<std::int64_t>(as<I>(storage_.levels[l].crd)[p]);
  }

  const Storage& storage_;
  std::size_t levels_;
  std::vector<std::int64_t> at_, position_, extents_;
};

// visit(position, coordinates in storage order) for every stored position, from several threads.
template <class F>
void walk_positions(const Storage& storage, F&& visit) {
  const auto run = [&](auto tag, std::int64_t begin, std::int64_t end) {
    Walker<typename decltype(tag)::type> walker(storage, begin);
    for (std::int64_t p = begin; p < end; ++p) {
      visit(p, walker.at());
      if (p + 1 < end) walker.next();
    }
  };
  parallel_for(storage.desc.nnz(), 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    if (storage.desc.wide) {
      run(Tag<std::int64_t>{}, begin, end);
    } else {
      run(Tag<std::int32_t>{}, begin, end);
    }
  });
}

}  // namespace einloom
