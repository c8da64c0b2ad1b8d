// Stand-ins for FROSTT tensors: their shapes, counts and skew, not their contents.
//
// A slice fixes all modes but the last two, a fiber all but the last. Slices are drawn without repetition; fibers a
// slice and non-zeros a fiber are log-normal with given mean and coefficient of variation, clipped at a maximum; the
// last fibers are trimmed or filled until the count is exact. `scale` multiplies the counts of slices, fibers and
// non-zeros, not the extents.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/counted.h"
#include "frontend/error.h"
#include "runtime/elements.h"
#include "runtime/generate_data.h"
#include "runtime/levels.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

struct Spread {
  double mean, cv, max;  // max: largest / mean - 1
};
struct Figures {
  const char* name;
  std::vector<std::int64_t> extents;
  std::int64_t nnz;
  Spread per_fiber;
  std::int64_t slices;
  Spread per_slice;
};

const std::vector<Figures>& figures() {
  static const std::vector<Figures> all = {
      {"nell-2", {12092, 9184, 28818}, 76879419, {227.9, 0.89, 30.2}, 12092, {27.9, 3.33, 90.3}},
      {"nips", {2482, 2862, 14036, 17}, 3101609, {1, 0, 0}, 5870, {528, 0.19, 1.6}},
      {"uber", {183, 24, 1140, 1717}, 3309490, {4.78, 1.02, 6.5}, 4390, {158, 0.24, 0.6}},
      {"chicago", {6186, 24, 77, 32}, 5330673, {1.44, 0.53, 6.6}, 141000, {26.2, 0.41, 1.8}},
      {"vast-5d", {165427, 11374, 2, 100, 89}, 26021945, {1, 0, 1}, 26000000, {1, 0, 1}},
  };
  return all;
}

// A whole number of at least 1 and at most `most`.
std::int64_t draw_count(Generator& generator, const Spread& spread, std::int64_t most) {
  double x = spread.mean;
  if (spread.cv > 0) {
    const double variance = portable_log(1 + spread.cv * spread.cv);
    x *= portable_exp(std::sqrt(variance) * generator.normal() - variance / 2);
  }
  x = std::min(x, spread.mean * (spread.max + 1));
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(x + 0.5)), 1, most);
}

// `count` distinct numbers below `limit`, in increasing order (selection sampling when dense, otherwise draw and
// redraw).
void draw_increasing(Generator& generator, std::int64_t count, std::int64_t limit, std::vector<std::int64_t>& out) {
  out.clear();
  if (count > limit / 4) {
    for (std::int64_t i = 0; static_cast<std::int64_t>(out.size()) < count; ++i) {
      const auto wanted = static_cast<std::uint64_t>(count) - out.size();
      if (generator.below(static_cast<std::uint64_t>(limit - i)) < wanted) out.push_back(i);
    }
    return;
  }
  while (static_cast<std::int64_t>(out.size()) < count) {
    for (auto n = static_cast<std::int64_t>(out.size()); n < count; ++n) {
      out.push_back(static_cast<std::int64_t>(generator.below(static_cast<std::uint64_t>(limit))));
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }
}

std::int64_t scaled(std::int64_t n, double scale) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(static_cast<double>(n) * scale + 0.5)));
}

// Trims or fills from the last fiber backwards until the counts add up to nnz.
void make_exact(const Spec& spec, std::vector<std::int32_t>& counts, std::int64_t nnz, std::int64_t most) {
  std::int64_t total = 0;
  for (const std::int32_t c : counts) total += c;
  for (std::size_t f = counts.size(); f-- > 0 && total != nnz;) {
    const std::int64_t wanted = std::clamp<std::int64_t>(counts[f] + (nnz - total), 0, most);
    total += wanted - counts[f];
    counts[f] = static_cast<std::int32_t>(wanted);
  }
  if (total != nnz)
    spec.fail(fmt::format("{} cannot be laid out in {}", counted(nnz, "non-zero"), counted(counts.size(), "fiber")));
}

}  // namespace

Tensor generate_frostt(Spec& spec, DType type) {
  const Figures* found = nullptr;
  std::string names;
  for (const Figures& f : figures()) {
    if (spec.word() == f.name) found = &f;
    names += (names.empty() ? "" : ", ") + std::string(f.name);
  }
  if (found == nullptr) spec.fail(fmt::format("the tensor '{}': known are {}", spec.word(), names));
  const double scale = spec.real("scale", 0, 1);
  if (scale <= 0 || scale > 1) spec.fail("scale must be above 0 and at most 1");
  const std::uint64_t seed = spec.seed();
  spec.finish();
  const Figures& f = *found;
  const std::size_t modes = f.extents.size();
  const std::int64_t nnz = scaled(f.nnz, scale), fiber_extent = f.extents[modes - 2],
                     leaf_extent = f.extents[modes - 1];
  const std::vector<std::int64_t> slice_extents(f.extents.begin(), f.extents.end() - 2);
  Generator generator(seed);
  const Coo slices = draw_distinct(generator, slice_extents, scaled(f.slices, scale), DType::boolean, spec);

  // How many fibers a slice, and non-zeros a fiber; a stream a slice, so that slices are independent of each other.
  std::vector<std::int64_t> first(static_cast<std::size_t>(slices.count) + 1, 0);
  std::vector<std::int32_t> counts;
  for (std::int64_t s = 0; s < slices.count; ++s) {
    Generator own(seed, 2 * static_cast<std::uint64_t>(s) + 1);
    const std::int64_t fibers = draw_count(own, f.per_slice, fiber_extent);
    for (std::int64_t k = 0; k < fibers; ++k)
      counts.push_back(static_cast<std::int32_t>(draw_count(own, f.per_fiber, leaf_extent)));
    first[static_cast<std::size_t>(s) + 1] = static_cast<std::int64_t>(counts.size());
  }
  make_exact(spec, counts, nnz, leaf_extent);
  std::vector<std::int64_t> start(counts.size() + 1, 0);
  for (std::size_t k = 0; k < counts.size(); ++k) start[k + 1] = start[k] + counts[k];

  Coo coo = make_coo(key_layout(f.extents), type, nnz, true);
  parallel_for(slices.count, 16, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int64_t> fibers, leaves;
    const auto put = [&](std::int64_t row, std::size_t mode, std::int64_t c) {
      const KeyLayout::Field field = coo.layout.fields[mode];
      as<std::uint64_t>(coo.keys[static_cast<std::size_t>(field.word)])[row] |= static_cast<std::uint64_t>(c)
                                                                                << field.shift;
    };
    for (std::int64_t s = begin; s < end; ++s) {
      Generator own(seed, 2 * static_cast<std::uint64_t>(s) + 2);
      const std::int64_t from = first[static_cast<std::size_t>(s)], to = first[static_cast<std::size_t>(s) + 1];
      draw_increasing(own, to - from, fiber_extent, fibers);
      for (std::int64_t k = from; k < to; ++k) {
        draw_increasing(own, counts[static_cast<std::size_t>(k)], leaf_extent, leaves);
        for (std::size_t i = 0; i < leaves.size(); ++i) {
          const std::int64_t row = start[static_cast<std::size_t>(k)] + static_cast<std::int64_t>(i);
          for (std::size_t m = 0; m + 2 < modes; ++m) put(row, m, field_of(slices, m, s));
          put(row, modes - 2, fibers[static_cast<std::size_t>(k - from)]);
          put(row, modes - 1, leaves[i]);
        }
      }
      const std::int64_t row = start[static_cast<std::size_t>(from)];
      fill_random(own, type, static_cast<char*>(coo.values.get()) + row * static_cast<std::int64_t>(size_of(type)),
                  start[static_cast<std::size_t>(to)] - row);
    }
  });
  coo.sorted = true;
  return build_levels(coo, f.extents, csf(), Semiring::plus_times);
}

}  // namespace einloom
