// The CPU this process runs on, as a Target.
#pragma once

#include <string>

#include "planner/target.h"

namespace einloom {

Target cpu_target(int threads);
// Memory bandwidth and multiply-add rate measured now, a few milliseconds each, on `threads` threads; for reports only.
struct MeasuredRates {
  double bytes_per_second, flops_f32, flops_f64;
};
MeasuredRates measure_rates(const Target& target, int threads);
std::string to_text(const Target& target);
std::string to_json(const Target& target, const MeasuredRates& rates);

}  // namespace einloom
