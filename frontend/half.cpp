// Conversions between float and the two 16-bit formats, in integer arithmetic: independent of rounding mode and
// hardware.
#include <bit>
#include <cstdint>

#include "dtype.h"

namespace einloom {

float to_float(f16 x) {
  const std::uint32_t sign = static_cast<std::uint32_t>(x.bits & 0x8000u) << 16;
  const std::uint32_t exponent = (x.bits >> 10) & 0x1Fu;
  std::uint32_t fraction = x.bits & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  if (fraction == 0) return std::bit_cast<float>(sign);
  // Subnormal: shift the leading one into place.
  std::uint32_t shifted = 113;
  while ((fraction & 0x400u) == 0) fraction <<= 1, --shifted;
  return std::bit_cast<float>(sign | (shifted << 23) | ((fraction & 0x3FFu) << 13));
}

float to_float(bf16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }

f16 to_f16(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    return {static_cast<std::uint16_t>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu))};
  }
  if (magnitude >= 0x477FF000u)
    return {static_cast<std::uint16_t>(sign | 0x7C00u)};                   // 65520 and above round to infinity
  if (magnitude < 0x33000000u) return {static_cast<std::uint16_t>(sign)};  // below half the least subnormal
  std::uint32_t significand, shift;
  if (magnitude >= 0x38800000u) {
    significand = magnitude - 0x38000000u, shift = 13;
  } else {
    significand = (magnitude & 0x7FFFFFu) | 0x800000u, shift = 126 - (magnitude >> 23);
  }
  const std::uint32_t kept = significand >> shift;
  const std::uint32_t rest = significand & ((1u << shift) - 1), half = 1u << (shift - 1);
  const std::uint32_t rounded = kept + (rest > half || (rest == half && (kept & 1u) != 0) ? 1 : 0);
  return {static_cast<std::uint16_t>(sign | rounded)};
}

bf16 to_bf16(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return {static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16)};
}

}  // namespace einloom
