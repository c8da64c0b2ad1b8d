#include "dtype.h"

#include <utility>

namespace einloom {

std::size_t size_of(DType type) {
  static constexpr std::size_t sizes[dtype_count] = {1, 4, 8, 2, 2, 4, 8, 8, 16};
  return sizes[static_cast<int>(type)];
}

const char* name(DType type) {
  static constexpr const char* names[dtype_count] = {"bool", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"};
  const auto i = static_cast<int>(type);
  return i < dtype_count ? names[i] : "unknown";
}

std::optional<DType> parse_dtype(std::string_view text) {
  static constexpr std::pair<std::string_view, DType> numpy[] = {
      {"bool_", DType::boolean}, {"int32", DType::i32},     {"int64", DType::i64},
      {"float16", DType::f16},   {"bfloat16", DType::bf16}, {"float32", DType::f32},
      {"float64", DType::f64},   {"complex64", DType::c64}, {"complex128", DType::c128},
  };
  for (int i = 0; i < dtype_count; ++i) {
    if (text == name(static_cast<DType>(i))) return static_cast<DType>(i);
  }
  for (const auto& [spelling, type] : numpy) {
    if (text == spelling) return type;
  }
  return std::nullopt;
}

DType promote(DType a, DType b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);  // the enumeration goes bool, integers, reals, complex
  if (a == DType::boolean) return b;
  if (is_integer(a)) {
    // A 32-bit integer does not fit the significand of anything below f64.
    if (is_integer(b)) return DType::i64;
    return is_complex(b) ? DType::c128 : DType::f64;
  }
  if (is_half(a) && is_half(b)) return DType::f32;
  if (a == DType::f64 && b == DType::c64) return DType::c128;
  return b;
}

DType accumulator(DType type) { return is_half(type) ? DType::f32 : type; }

DType real_of(DType type) {
  if (type == DType::c64) return DType::f32;
  return type == DType::c128 ? DType::f64 : type;
}

}  // namespace einloom
