// Sparse data: distinct coordinates drawn one by one, a repeated one drawn again.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/elements.h"
#include "runtime/generate_data.h"
#include "runtime/levels.h"

namespace einloom {

namespace {

using Word = std::uint64_t;

// Which rows of a Coo are in, by open addressing on their keys.
class RowSet {
 public:
  RowSet(const Coo& coo, std::int64_t most) : coo_(coo) {
    slots_ = static_cast<std::int64_t>(std::bit_ceil(static_cast<Word>(most) * 2 + 2));
    table_ = allocate_elements(slots_, sizeof(std::int64_t), "a set of coordinates");
    std::fill(slots(), slots() + slots_, std::int64_t{-1});
  }
  // False when an equal row is in already.
  bool insert(std::int64_t row) {
    Word hash = 0;
    for (const Bytes& keys : coo_.keys) hash = (hash ^ as<Word>(keys)[row]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    hash *= 0xBF58476D1CE4E5B9u;
    for (Word s = hash >> 20;; ++s) {
      std::int64_t& slot = slots()[s & static_cast<Word>(slots_ - 1)];
      if (slot < 0) {
        slot = row;
        return true;
      }
      if (equal(slot, row)) return false;
    }
  }

 private:
  std::int64_t* slots() const { return as<std::int64_t>(table_); }
  bool equal(std::int64_t a, std::int64_t b) const {
    for (const Bytes& keys : coo_.keys) {
      if (as<Word>(keys)[a] != as<Word>(keys)[b]) return false;
    }
    return true;
  }
  const Coo& coo_;
  std::int64_t slots_ = 0;
  Bytes table_;
};

// Coordinate k with probability proportional to (k + 1) ^ -skew.
std::vector<double> zipf_table(std::int64_t extent, double skew) {
  check_memory(checked_mul(extent, 8, "a Zipf table"), "a Zipf table");
  std::vector<double> sums(static_cast<std::size_t>(extent));
  double sum = 0;
  for (std::size_t k = 0; k < sums.size(); ++k)
    sums[k] = sum += portable_exp(-skew * portable_log(static_cast<double>(k + 1)));
  return sums;
}

class Drawer {
 public:
  Drawer(Generator& generator, const std::vector<std::int64_t>& extents, double skew)
      : generator_(generator), extents_(extents) {
    if (skew > 0) {
      for (const std::int64_t e : extents) tables_.push_back(zipf_table(e, skew));
    }
  }
  void draw(Coo& coo, std::int64_t row) {
    for (Bytes& keys : coo.keys) as<Word>(keys)[row] = 0;
    for (std::size_t m = 0; m < extents_.size(); ++m) {
      Word c = 0;
      if (tables_.empty()) {
        c = generator_.below(static_cast<Word>(extents_[m]));
      } else {
        const auto& sums = tables_[m];
        const auto at = std::upper_bound(sums.begin(), sums.end(), generator_.uniform() * sums.back());
        c = std::min(static_cast<Word>(at - sums.begin()), static_cast<Word>(extents_[m] - 1));
      }
      const KeyLayout::Field f = coo.layout.fields[m];
      as<Word>(coo.keys[static_cast<std::size_t>(f.word)])[row] |= c << f.shift;
    }
  }

 private:
  Generator& generator_;
  const std::vector<std::int64_t>& extents_;
  std::vector<std::vector<double>> tables_;
};

std::int64_t cells_of(const std::vector<std::int64_t>& extents) {
  std::int64_t cells = 1;
  for (const std::int64_t e : extents) {
    if (e == 0) return 0;
    if (__builtin_mul_overflow(cells, e, &cells)) cells = std::numeric_limits<std::int64_t>::max();
  }
  return cells;
}

// All cells of `extents` but those in `left_out`, which is sorted.
Coo complement(const Coo& left_out, const std::vector<std::int64_t>& extents, std::int64_t count, DType type) {
  Coo coo = make_coo(left_out.layout, type, count, true);
  std::vector<std::int64_t> at(extents.size(), 0);
  for (std::int64_t row = 0, skipped = 0; row < count;) {
    bool out = skipped < left_out.count;
    for (std::size_t m = 0; m < at.size() && out; ++m) out = field_of(left_out, m, skipped) == at[m];
    if (out) {
      ++skipped;
    } else {
      for (std::size_t m = 0; m < at.size(); ++m) {
        const KeyLayout::Field f = coo.layout.fields[m];
        as<Word>(coo.keys[static_cast<std::size_t>(f.word)])[row] |= static_cast<Word>(at[m]) << f.shift;
      }
      ++row;
    }
    for (std::size_t m = at.size(); m-- > 0;) {
      if (++at[m] < extents[m]) break;
      at[m] = 0;
    }
  }
  coo.sorted = true;
  return coo;
}

}  // namespace

Coo draw_distinct(Generator& generator, const std::vector<std::int64_t>& extents, std::int64_t count, DType type,
                  const Spec& spec, double skew, const Coo* keep) {
  const std::int64_t cells = cells_of(extents);
  if (count > cells) spec.fail(fmt::format("{} distinct coordinates do not fit a shape of {} elements", count, cells));
  const bool mostly = skew == 0 && keep == nullptr && count > cells / 2;
  if (mostly) {
    const Coo left_out = draw_distinct(generator, extents, cells - count, DType::boolean, spec);
    return complement(left_out, extents, count, type);
  }
  Coo coo = make_coo(key_layout(extents), type, count);
  RowSet in(coo, count);
  Drawer drawer(generator, extents, skew);
  std::int64_t row = 0;
  if (keep != nullptr) {
    for (; row < keep->count; ++row) {
      for (std::size_t w = 0; w < coo.keys.size(); ++w) as<Word>(coo.keys[w])[row] = as<Word>(keep->keys[w])[row];
      in.insert(row);
    }
  }
  const std::int64_t patience = count > (std::int64_t{1} << 50) ? count : count * 200 + 1000000;
  std::int64_t drawn = 0;
  while (row < count) {
    drawer.draw(coo, row);
    if (in.insert(row)) ++row;
    if (++drawn > patience) {
      spec.fail(
          fmt::format("after {} draws only {} of {} coordinates are distinct: the skew or the density is too high",
                      drawn, row, count));
    }
  }
  Coo keys = coo;
  keys.values = allocate_elements(count, 1, "a set of coordinates");
  std::memset(keys.values.get(), 0, static_cast<std::size_t>(count));
  keys.dtype = DType::boolean;
  sort_and_combine(keys, Semiring::or_and);
  coo.keys = keys.keys;
  coo.sorted = true;
  return coo;
}

Tensor generate_random(Spec& spec, DType type) {
  const std::vector<std::int64_t> extents = spec.shape();
  const std::int64_t nnz = spec.integer("nnz", 0);
  const double skew = spec.real("skew", 0, 0);
  if (skew > 100) spec.fail("skew must be at most 100");
  Generator generator(spec.seed());
  spec.finish();
  Coo coo = draw_distinct(generator, extents, nnz, type, spec, skew);
  fill_random(generator, type, coo.values.get(), coo.count);
  return build_levels(coo, extents, csf(), Semiring::plus_times);
}

// abcde,bdace->abe with a=b=c=50, d=20, e=10. A uniform in [0,10), B all 2; a part of B's coordinates are A's,
// realigned.
std::vector<Tensor> generate_published(Spec& spec, DType type) {
  if (!spec.word().empty()) spec.fail("published takes no shape");
  const std::int64_t nnz = spec.integer("nnz", 0);
  const double overlap = spec.real("overlap", 0, 0);
  if (overlap > 1) spec.fail("overlap must be at most 1");
  Generator generator(spec.seed());
  spec.finish();
  const std::vector<std::int64_t> a_extents = {50, 50, 50, 20, 10}, b_extents = {50, 20, 50, 50, 10};
  static constexpr std::size_t mode_of_b[] = {1, 3, 0, 2, 4};  // the mode of A behind each mode of B
  Coo a = draw_distinct(generator, a_extents, nnz, DType::f64, spec);
  for (std::int64_t i = 0; i < nnz; ++i) as<double>(a.values)[i] = 10 * generator.uniform();

  // A random part of A, by selection sampling.
  const auto shared = static_cast<std::int64_t>(std::floor(overlap * static_cast<double>(nnz) + 0.5));
  Coo kept = make_coo(key_layout(b_extents), DType::f64, shared, true);
  for (std::int64_t i = 0, row = 0; row < shared; ++i) {
    if (generator.below(static_cast<Word>(nnz - i)) >= static_cast<Word>(shared - row)) continue;
    for (std::size_t m = 0; m < b_extents.size(); ++m) {
      const KeyLayout::Field f = kept.layout.fields[m];
      as<Word>(kept.keys[0])[row] |= static_cast<Word>(field_of(a, mode_of_b[m], i)) << f.shift;
    }
    ++row;
  }
  Coo b = draw_distinct(generator, b_extents, nnz, DType::f64, spec, 0, shared > 0 ? &kept : nullptr);
  std::fill(as<double>(b.values), as<double>(b.values) + nnz, 2.0);
  return {build_levels(a, a_extents, csf(), Semiring::plus_times).to_dtype(type),
          build_levels(b, b_extents, csf(), Semiring::plus_times).to_dtype(type)};
}

}  // namespace einloom
