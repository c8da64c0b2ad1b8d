// f16 without conversion instructions: every pattern one way, a dense sample of floats the other way, against the
// host's rounding.
#include <cstring>

#include "frontend/dtype.h"
#include "planner/plan.h"
#include "run_kernel.h"
#include "tests/support/catch.h"

namespace einloom {

namespace {

Target plain_processor() {
  Target t;
  t.arch = "x86-64";
  t.features = "";
  t.vector_bytes = 16;
  return t;
}

Step copy_step(DType from, DType to, std::int64_t n) {
  Step step;
  step.compute = DType::f32;
  step.extents = {n};
  step.inputs.push_back({{Ref::Kind::operand, 0}, {0}, dense_desc(from, {n})});
  step.output = {{Ref::Kind::output, 0}, {0}, dense_desc(to, {n})};
  step.whole_output = step.output.desc;
  step.loops = {{0, -1, {}}};
  step.accumulate = Accumulate::direct;
  return step;
}

bool both_nan(float a, float b) { return a != a && b != b; }

}  // namespace

TEST_CASE("every f16 pattern becomes its float without f16 instructions") {
  std::vector<std::uint16_t> half(65536);
  std::vector<float> wide(65536);
  for (std::size_t i = 0; i < half.size(); ++i) half[i] = static_cast<std::uint16_t>(i);
  testing::run_kernel(copy_step(DType::f16, DType::f32, 65536), plain_processor(), {half.data()}, wide.data(), 1, 0);
  int wrong = 0;
  for (std::size_t i = 0; i < half.size(); ++i) {
    const float want = to_float(f16{half[i]});
    wrong += std::memcmp(&want, &wide[i], sizeof want) != 0 && !both_nan(want, wide[i]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("floats round to f16 without f16 instructions as with them") {
  constexpr std::size_t n = 1 << 22;  // every 1021st pattern: all exponents, many ties
  std::vector<float> wide(n);
  std::vector<std::uint16_t> half(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = static_cast<std::uint32_t>(i * 1021);
    std::memcpy(&wide[i], &bits, sizeof bits);
  }
  testing::run_kernel(copy_step(DType::f32, DType::f16, n), plain_processor(), {wide.data()}, half.data(), 1, 0);
  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool nan = wide[i] != wide[i] && (half[i] & 0x7fff) > 0x7c00;
    wrong += to_f16(wide[i]).bits != half[i] && !nan;
  }
  CHECK(wrong == 0);
}

}  // namespace einloom
