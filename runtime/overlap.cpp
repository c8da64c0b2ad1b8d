#include "overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "frontend/error.h"

namespace einloom {

namespace {

constexpr std::int64_t exact_limit = std::int64_t{1} << 32;  // bytes of range above which only the ranges are compared

// Calls f(byte address) for every element of a dense tensor; stops when f returns false.
template <class F>
bool each_address(const Storage& s, const F& f) {
  const auto item = static_cast<std::int64_t>(size_of(s.desc.dtype));
  const std::size_t order = s.desc.extents.size();
  if (s.desc.size() == 0) return true;
  std::vector<std::int64_t> at(order, 0);
  const char* p = static_cast<const char*>(s.data);
  for (;;) {
    if (!f(p)) return false;
    std::size_t m = order;
    for (;;) {
      if (m == 0) return true;
      --m;
      p += s.desc.strides[m] * item;
      if (++at[m] < s.desc.extents[m]) break;
      p -= s.desc.strides[m] * item * s.desc.extents[m];
      at[m] = 0;
    }
  }
}

// Sorted by stride, every stride steps over all that the smaller ones span: no two elements coincide.
bool plainly_distinct(const TensorDesc& d) {
  std::vector<std::pair<std::int64_t, std::int64_t>> modes;
  for (std::size_t m = 0; m < d.extents.size(); ++m)
    if (d.extents[m] > 1) modes.emplace_back(std::abs(d.strides[m]), d.extents[m]);
  std::sort(modes.begin(), modes.end());
  std::int64_t span = 1;
  for (auto [stride, extent] : modes) {
    if (stride < span) return false;
    span = stride * (extent - 1) + span;
  }
  return true;
}

}  // namespace

void check_output_overlap(const Storage& out) {
  if (out.desc.size() == 0 || plainly_distinct(out.desc)) return;
  const auto [lo, hi] = byte_range(out);
  const auto item = static_cast<std::int64_t>(size_of(out.desc.dtype));
  bool distinct = hi - lo <= exact_limit;
  if (distinct) {
    std::vector<bool> seen(static_cast<std::size_t>((hi - lo) / item) + 1, false);
    distinct = each_address(out, [&, low = lo](const char* p) {
      auto cell = seen[static_cast<std::size_t>((p - low) / item)];
      const bool fresh = !cell;
      cell = true;
      return fresh;
    });
  }
  if (!distinct) throw Error::input("elements of the output share memory: its strides make it overlap itself");
}

void check_operand_overlap(const Storage& out, const Storage& operand, std::size_t k) {
  if (operand.desc.sparse || out.desc.size() == 0 || operand.desc.size() == 0) return;
  const auto [lo, hi] = byte_range(out);
  const auto [a, b] = byte_range(operand);
  if (b <= lo || hi <= a) return;
  bool apart = hi - lo <= exact_limit;
  if (apart) {
    std::vector<bool> written(static_cast<std::size_t>(hi - lo), false);
    const std::size_t item = size_of(out.desc.dtype), read = size_of(operand.desc.dtype);
    each_address(out, [&, low = lo](const char* p) {
      for (std::size_t i = 0; i < item; ++i) written[static_cast<std::size_t>(p - low) + i] = true;
      return true;
    });
    apart = each_address(operand, [&, low = lo, high = hi](const char* p) {
      for (std::size_t i = 0; i < read; ++i)
        if (p + i >= low && p + i < high && written[static_cast<std::size_t>(p + i - low)]) return false;
      return true;
    });
  }
  if (!apart) throw Error::input(fmt::format("the output overlaps operand {}: give it memory of its own", k));
}

}  // namespace einloom
