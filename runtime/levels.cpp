// From sorted keys to the arrays of each level, by one flag-and-scan over the rows.
//
// Levels fall into groups: a dense level is one; a compressed level is one; a nonunique level with its singletons is
// one. The first level in which a row differs from the row before tells which groups get a new node.
#include "runtime/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "frontend/error.h"
#include "runtime/elements.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

using Word = std::uint64_t;

struct Group {
  std::size_t first, last;  // levels
  bool dense;
};

std::vector<Group> groups_of(const Format& format) {
  std::vector<Group> groups;
  for (std::size_t l = 0; l < format.levels.size(); ++l) {
    if (format.levels[l] != Level::singleton) {
      groups.push_back({l, l, format.levels[l] == Level::dense});
    } else if (!groups.empty() && format.levels[groups.back().first] == Level::nonunique) {
      groups.back().last = l;
    } else {
      throw Error::input(fmt::format("level {} is singleton, which must follow a nonunique or singleton level", l));
    }
  }
  return groups;
}

template <class I>
class Builder {
 public:
  Builder(const Coo& coo, const std::vector<std::int64_t>& extents, const std::vector<Group>& groups)
      : coo_(coo), extents_(extents), groups_(groups) {
    level_of_bit_.resize(coo.keys.size());
    for (std::size_t l = coo.layout.fields.size(); l-- > 0;) {
      const KeyLayout::Field f = coo.layout.fields[l];
      for (int b = 0; b < f.bits; ++b) {
        level_of_bit_[static_cast<std::size_t>(f.word)][static_cast<std::size_t>(f.shift + b)] = l;
      }
    }
    chunks_ = std::clamp<std::int64_t>(coo.count >> 14, 1, 256);
    before_.assign(static_cast<std::size_t>(chunks_) + 1, std::vector<std::int64_t>(groups.size(), 0));
    parallel_for(chunks_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) count(c);
    });
    for (std::size_t c = 1; c < before_.size(); ++c) {
      for (std::size_t g = 0; g < groups.size(); ++g) before_[c][g] += before_[c - 1][g];
    }
  }

  // Distinct prefixes up to the end of each group.
  const std::vector<std::int64_t>& counts() const { return before_.back(); }

  // Fills the arrays, and the position of each row below the last group when that is dense.
  void fill(std::vector<LevelArrays>& levels, const std::vector<std::int64_t>& nodes, std::int64_t* positions) {
    parallel_for(chunks_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t c = begin; c < end; ++c) fill_chunk(c, levels, positions);
    });
    // What lies after the last row.
    const std::vector<std::int64_t> last = place(coo_.count - 1, counts());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].dense) continue;
      I* const pos = as<I>(levels[groups_[g].first].pos);
      const std::int64_t parents = groups_[g].first == 0 ? 1 : nodes[groups_[g].first - 1];
      const std::int64_t from = coo_.count == 0 ? 0 : (g == 0 ? 0 : last[g - 1]) + 1;
      const I total = static_cast<I>(counts()[g]);
      parallel_for(parents + 1 - from, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
        std::fill(pos + from + begin, pos + from + end, total);
      });
    }
  }

 private:
  std::int64_t first_of(std::int64_t c) const { return coo_.count / chunks_ * c + std::min(c, coo_.count % chunks_); }

  // The first level in which a row differs from the one before; the first row differs in all.
  std::size_t differs_at(std::int64_t row) const {
    if (row == 0) return 0;
    for (std::size_t w = 0; w < coo_.keys.size(); ++w) {
      const Word* const keys = as<Word>(coo_.keys[w]);
      if (const Word x = keys[row] ^ keys[row - 1]; x != 0) {
        return level_of_bit_[w][static_cast<std::size_t>(63 - std::countl_zero(x))];
      }
    }
    throw Error::internal("building levels from repeated coordinates");
  }

  void count(std::int64_t c) {
    std::vector<std::int64_t> fresh(extents_.size(), 0);
    for (std::int64_t i = first_of(c); i < first_of(c + 1); ++i) ++fresh[differs_at(i)];
    std::int64_t sum = 0;
    std::size_t level = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (; level <= groups_[g].last; ++level) sum += fresh[level];
      before_[static_cast<std::size_t>(c) + 1][g] = sum;
    }
  }

  // The node of `row` in each group, given how many prefixes there are up to and with it.
  std::vector<std::int64_t> place(std::int64_t row, const std::vector<std::int64_t>& prefixes) const {
    std::vector<std::int64_t> at(groups_.size(), 0);
    if (row < 0) return at;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t parent = g == 0 ? 0 : at[g - 1];
      const std::size_t l = groups_[g].first;
      at[g] = groups_[g].dense ? parent * extents_[l] + field_of(coo_, l, row) : prefixes[g] - 1;
    }
    return at;
  }

  void fill_chunk(std::int64_t c, std::vector<LevelArrays>& levels, std::int64_t* positions) const {
    std::int64_t row = first_of(c);
    std::vector<std::int64_t> at = place(row - 1, before_[static_cast<std::size_t>(c)]);
    for (; row < first_of(c + 1); ++row) {
      const std::size_t level = differs_at(row);
      std::size_t g = 0;
      while (groups_[g].last < level) ++g;
      std::int64_t old_parent = row == 0 ? -1 : (g == 0 ? 0 : at[g - 1]), parent = g == 0 ? 0 : at[g - 1];
      if (row == 0) parent = 0;
      for (; g < groups_.size(); ++g) {
        const std::int64_t old = row == 0 ? -1 : at[g];
        const std::size_t first = groups_[g].first;
        if (groups_[g].dense) {
          at[g] = parent * extents_[first] + field_of(coo_, first, row);
        } else {
          at[g] = old + 1;
          I* const pos = as<I>(levels[first].pos);
          for (std::int64_t p = old_parent + 1; p <= parent; ++p) pos[p] = static_cast<I>(at[g]);
          for (std::size_t l = first; l <= groups_[g].last; ++l) {
            as<I>(levels[l].crd)[at[g]] = static_cast<I>(field_of(coo_, l, row));
          }
        }
        old_parent = old, parent = at[g];
      }
      if (positions != nullptr) positions[row] = parent;
    }
  }

  const Coo& coo_;
  const std::vector<std::int64_t>& extents_;
  const std::vector<Group>& groups_;
  std::vector<std::array<std::size_t, 64>> level_of_bit_;
  std::int64_t chunks_ = 1;
  std::vector<std::vector<std::int64_t>> before_;  // prefixes before each chunk, by group
};

template <class I>
void finish(Builder<I>& builder, const std::shared_ptr<Storage>& storage, const Coo& coo, Semiring semiring) {
  const TensorDesc& desc = storage->desc;
  storage->levels.resize(desc.format.levels.size());
  for (std::size_t l = 0; l < desc.nodes.size(); ++l) {
    const Level level = desc.format.levels[l];
    const std::int64_t parents = l == 0 ? 1 : desc.nodes[l - 1];
    if (level == Level::compressed || level == Level::nonunique) {
      storage->levels[l].pos =
          allocate_elements(checked_add(parents, 1, "a level's positions"), sizeof(I), "a sparse tensor's levels");
    }
    if (level != Level::dense)
      storage->levels[l].crd = allocate_elements(desc.nodes[l], sizeof(I), "a sparse tensor's levels");
  }
  if (!has_fill(desc.format)) {
    builder.fill(storage->levels, desc.nodes, nullptr);
    storage->owner = coo.values;
  } else {
    const Bytes positions = allocate_elements(coo.count, sizeof(std::int64_t), "a sparse tensor's positions");
    builder.fill(storage->levels, desc.nodes, as<std::int64_t>(positions));
    storage->owner = allocate_elements(desc.nodes.back(), static_cast<std::int64_t>(size_of(desc.dtype)),
                                       "a sparse tensor's values");
    fill_identity(desc.dtype, semiring, storage->owner.get(), desc.nodes.back());
    visit_size(size_of(desc.dtype), [&](auto tag) {
      using T = typename decltype(tag)::type;
      parallel_for(coo.count, 1 << 15, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          as<T>(storage->owner)[as<std::int64_t>(positions)[i]] = as<T>(coo.values)[i];
        }
      });
    });
  }
  storage->data = storage->owner.get();
}

}  // namespace

std::vector<std::int64_t> storage_extents(const std::vector<std::int64_t>& extents, const std::vector<int>& order) {
  std::vector<std::int64_t> out;
  for (const int mode : order) out.push_back(extents[static_cast<std::size_t>(mode)]);
  return out;
}

bool has_fill(const Format& format) { return !format.levels.empty() && format.levels.back() == Level::dense; }

bool wide_indices(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& nodes) {
  const auto large = [](std::int64_t n) { return n >= std::int64_t{1} << 31; };
  return std::any_of(extents.begin(), extents.end(), large) || std::any_of(nodes.begin(), nodes.end(), large);
}

Tensor build_levels(const Coo& coo, const std::vector<std::int64_t>& extents, const Format& given, Semiring semiring) {
  if (extents.empty()) return scalar_of(coo, semiring);
  auto storage = std::make_shared<Storage>();
  TensorDesc& desc = storage->desc;
  desc.dtype = coo.dtype;
  desc.extents = extents;
  desc.sparse = true;
  desc.format = resolve(given, desc.order());
  const std::vector<std::int64_t> stored = storage_extents(extents, desc.format.order);
  const std::vector<Group> groups = groups_of(desc.format);
  const auto finish_as = [&](auto tag) {
    Builder<typename decltype(tag)::type> builder(coo, stored, groups);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::int64_t parents = g == 0 ? 1 : desc.nodes.back();
      const std::int64_t nodes = groups[g].dense
                                     ? checked_mul(parents, stored[groups[g].first], "the number of stored positions")
                                     : builder.counts()[g];
      desc.nodes.resize(groups[g].last + 1, nodes);
    }
    desc.wide = wide_indices(extents, desc.nodes);
    if (desc.wide != (sizeof(typename decltype(tag)::type) == 8)) return false;
    finish(builder, storage, coo, semiring);
    return true;
  };
  if (!finish_as(Tag<std::int32_t>{})) {
    desc.nodes.clear();
    finish_as(Tag<std::int64_t>{});
  }
  return Tensor(std::move(storage));
}

}  // namespace einloom
