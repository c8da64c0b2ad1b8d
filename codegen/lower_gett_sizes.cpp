#include <algorithm>

#include "frontend/error.h"
#include "lower_gett.h"

namespace einloom::gett {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }
std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }

// Cuts `extent` into blocks of at most about `block`, all of nearly equal size, a multiple of `unit`.
std::int64_t even_block(std::int64_t extent, std::int64_t block, std::int64_t unit) {
  block = std::max(round_up(std::max<std::int64_t>(block, 1), unit), unit);
  if (extent <= block) return round_up(std::max<std::int64_t>(extent, 1), unit);
  return round_up(ceil_div(extent, ceil_div(extent, block)), unit);
}

}  // namespace

Sizes choose_sizes(const Step& step, const Target& target, DType element, bool partial, std::int64_t batch,
                   std::int64_t m, std::int64_t n, std::int64_t k) {
  const Gett& g = step.gett;
  const auto bytes = static_cast<std::int64_t>(size_of(element)) * (is_complex(step.compute) ? 2 : 1);
  Sizes s;
  s.mr = std::clamp(g.mr > 0 ? g.mr : 8, 1, 64);
  s.nr = std::clamp(g.nr > 0 ? g.nr : 8, 1, 256);
  const int widest =
      element == DType::boolean ? 1 : std::max(1, target.vector_bytes / static_cast<int>(size_of(element)));
  while (s.lanes * 2 <= widest && s.nr % (s.lanes * 2) == 0) s.lanes *= 2;

  // Three vectors' worth of columns are one panel, not two half empty ones.
  if (ceil_div(n, s.lanes) == 3 && s.nr == 2 * s.lanes) s.nr = 3 * s.lanes;
  // The sums of a tile, a row of B and an element of A fit in the registers.
  const int most = std::max(2, target.vector_registers - 4) / (is_complex(step.compute) ? 2 : 1);
  s.nr = std::min(s.nr, 3 * s.lanes);
  s.mr = std::clamp(s.mr, 1, std::max(1, most / (s.nr / s.lanes)));
  if (m > 0) s.mr = static_cast<int>(ceil_div(m, ceil_div(m, s.mr)));  // panels of equal height

  const std::int64_t l2 = std::max<std::int64_t>(target.l2, 64 << 10);
  s.kc = even_block(k, std::clamp<std::int64_t>(g.kc > 0 ? g.kc : 256, 4, 8192), 4);
  s.k_blocks = std::max<std::int64_t>(1, ceil_div(k, s.kc));
  std::int64_t mc = std::clamp<std::int64_t>(g.mc > 0 ? g.mc : l2 / 2 / (s.kc * bytes), s.mr, 1 << 20);
  std::int64_t nc =
      std::clamp<std::int64_t>(g.nc > 0 ? g.nc : 4096, s.nr, std::max<std::int64_t>(s.nr, (64 << 20) / (s.kc * bytes)));
  if (partial && s.k_blocks > 1)
    nc = std::clamp<std::int64_t>((64 << 20) / bytes / std::max<std::int64_t>(m, 1), s.nr, nc);
  s.mc = even_block(m, mc, s.mr);
  s.nc = even_block(n, nc, s.nr);
  s.m_blocks = ceil_div(m, s.mc);

  const double work = 2.0 * (is_complex(step.compute) ? 4 : 1) / std::max(1.0, target.flops(step.compute));
  const double round_seconds =
      work * static_cast<double>(m) * static_cast<double>(std::min(n, s.nc)) * static_cast<double>(s.kc);
  const std::int64_t units = std::max(1, target.units);
  s.shared = s.m_blocks > 1 && round_seconds > 100e-6;
  if (s.shared) {
    // Blocks of m in a multiple of the units, as long as a block is not too low to pay for reading B.
    if (const std::int64_t even = round_up(s.m_blocks, units); even * 4 * s.mr <= m)
      s.mc = even_block(m, ceil_div(m, even), s.mr);
    s.m_blocks = ceil_div(m, s.mc);
    const std::int64_t panels = s.nc / s.nr;
    while (s.m_blocks * s.splits % units != 0 && s.m_blocks * s.splits < 3 * units && s.splits < panels) ++s.splits;
    s.split = ceil_div(panels, s.splits) * s.nr;
    s.splits = ceil_div(s.nc, s.split);
  } else {
    // A task holds its panels of A and B in its own cache; enough tasks for the units when they are worth waking.
    s.nc = even_block(n, std::min(nc, std::max<std::int64_t>(s.nr, l2 / 2 / (s.kc * bytes))), s.nr);
    s.n_blocks = ceil_div(n, s.nc);
    const double seconds = round_seconds / static_cast<double>(std::max<std::int64_t>(1, std::min(n, s.nc))) *
                           static_cast<double>(n) * static_cast<double>(s.k_blocks) * static_cast<double>(batch);
    const double tasks = static_cast<double>(s.m_blocks) * static_cast<double>(s.n_blocks) * static_cast<double>(batch);
    const auto worth =
        static_cast<std::int64_t>(std::min(seconds / 10e-6, units == 1 ? 1.0 : 2.0 * static_cast<double>(units)));
    if (tasks < static_cast<double>(worth)) {
      const std::int64_t others = s.m_blocks * std::max<std::int64_t>(1, batch);
      s.nc = even_block(n, ceil_div(n, std::max(s.n_blocks, ceil_div(worth, others))), s.nr);
      const std::int64_t rest = ceil_div(n, s.nc) * std::max<std::int64_t>(1, batch);
      if (rest * s.m_blocks < worth) s.mc = even_block(m, ceil_div(m, ceil_div(worth, rest)), s.mr);
    }
    s.split = s.nc;
  }
  s.m_blocks = ceil_div(m, s.mc);
  s.n_blocks = ceil_div(n, s.nc);
  return s;
}

}  // namespace einloom::gett
