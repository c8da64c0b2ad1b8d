// The generator and its distributions.
#include <cmath>

#include "runtime/elements.h"
#include "runtime/generate_data.h"

namespace einloom {

namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::uint64_t rotate(std::uint64_t x, int k) { return x << k | x >> (64 - k); }

constexpr double ln2 = 0.69314718055994530942;

}  // namespace

// atanh series on [1/sqrt 2, sqrt 2).
double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) m *= 2, --exponent;
  const double t = (m - 1) / (m + 1), t2 = t * t;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * t2 + 1.0 / k;
  return exponent * ln2 + 2 * t * sum;
}

double portable_exp(double x) {
  if (x > 709) x = 709;
  if (x < -708) return 0;
  const double n = std::floor(x / ln2 + 0.5), r = x - n * ln2;
  double sum = 1;
  for (int k = 18; k >= 1; --k) sum = 1 + r * sum / k;
  return std::ldexp(sum, static_cast<int>(n));
}

Generator::Generator(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t mixed = seed;
  if (stream != 0) mixed = split_mix(mixed) ^ (stream * 0xD1342543DE82EF95u);
  for (std::uint64_t& s : state_) s = split_mix(mixed);
}

std::uint64_t Generator::next() {
  const std::uint64_t result = rotate(state_[1] * 5, 7) * 9, t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = rotate(state_[3], 45);
  return result;
}

double Generator::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::uint64_t Generator::below(std::uint64_t limit) {
  const std::uint64_t unfair = (std::uint64_t{0} - limit) % limit;
  for (;;) {
    const std::uint64_t x = next();
    if (x >= unfair) return x % limit;
  }
}

double Generator::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  for (;;) {
    const double u = 2 * uniform() - 1, v = 2 * uniform() - 1, s = u * u + v * v;
    if (s >= 1 || s == 0) continue;
    const double scale = std::sqrt(-2 * portable_log(s) / s);
    spare_ = v * scale;
    has_spare_ = true;
    return u * scale;
  }
}

void fill_random(Generator& generator, DType type, void* values, std::int64_t count) {
  visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* const out = static_cast<T*>(values);
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, bool>) {
        out[i] = true;
      } else if constexpr (std::is_integral_v<T>) {
        const auto n = static_cast<T>(generator.below(18));
        out[i] = n < 9 ? static_cast<T>(n - 9) : static_cast<T>(n - 8);
      } else if constexpr (is_complex_v<T>) {
        const double re = generator.normal(), im = generator.normal();
        out[i] = T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im));
      } else {
        out[i] = narrow<T>(static_cast<decltype(widen(T{}))>(generator.normal()));
      }
    }
  });
}

}  // namespace einloom
