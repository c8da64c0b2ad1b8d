// What one pairwise step costs, as path searches estimate it. Private to this room.
#pragma once

#include <algorithm>

#include "build.h"

namespace einloom {

struct PathCost {
  explicit PathCost(const Problem& problem)
      : flops(problem.target.flops(problem.contraction.compute) / 2),
        bandwidth(problem.target.bytes_per_second),
        cache(static_cast<double>(problem.target.l2)),
        element(static_cast<double>(size_of(problem.contraction.compute))) {}

  // Seconds for `leaves` multiply-adds that read and write `stored` values in all.
  double seconds(double leaves, double stored) const {
    const double bytes = stored * element;
    return 2 * leaves / flops + bytes / (bytes < cache ? 8 * bandwidth : bandwidth);
  }

  double flops, bandwidth, cache, element;
};

}  // namespace einloom
