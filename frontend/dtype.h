// Element types: their sizes, names, and how they promote.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace einloom {

enum class DType : std::uint8_t { boolean, i32, i64, f16, bf16, f32, f64, c64, c128 };
inline constexpr int dtype_count = 9;

std::size_t size_of(DType type);  // bytes of one element; a bool takes one
const char* name(DType type);     // "bool", "i32", ..., "c128"
std::optional<DType> parse_dtype(
    std::string_view text);       // the names above and NumPy's ("float32", "complex64", "bool_")
DType promote(DType a, DType b);  // numpy.result_type; f16 with bf16 gives f32
DType accumulator(DType type);    // the type sums are kept in: f32 for f16 and bf16, otherwise itself
DType real_of(DType type);        // f32 for c64, f64 for c128, otherwise itself
inline bool is_complex(DType t) { return t == DType::c64 || t == DType::c128; }
inline bool is_half(DType t) { return t == DType::f16 || t == DType::bf16; }
inline bool is_float(DType t) { return t >= DType::f16; }  // any floating type, complex included
inline bool is_integer(DType t) { return t == DType::i32 || t == DType::i64; }

// 16-bit floating storage. The bits are IEEE binary16 and bfloat16; conversion rounds to nearest even.
struct f16 {
  std::uint16_t bits;
};
struct bf16 {
  std::uint16_t bits;
};
float to_float(f16 x);
float to_float(bf16 x);
f16 to_f16(float x);
bf16 to_bf16(float x);

// The element type of a C++ type.
template <class T>
struct dtype_of;
template <>
struct dtype_of<bool> {
  static constexpr DType value = DType::boolean;
};
template <>
struct dtype_of<std::int32_t> {
  static constexpr DType value = DType::i32;
};
template <>
struct dtype_of<std::int64_t> {
  static constexpr DType value = DType::i64;
};
template <>
struct dtype_of<long long> {
  static constexpr DType value = DType::i64;
};
template <>
struct dtype_of<f16> {
  static constexpr DType value = DType::f16;
};
template <>
struct dtype_of<bf16> {
  static constexpr DType value = DType::bf16;
};
template <>
struct dtype_of<float> {
  static constexpr DType value = DType::f32;
};
template <>
struct dtype_of<double> {
  static constexpr DType value = DType::f64;
};
template <>
struct dtype_of<std::complex<float>> {
  static constexpr DType value = DType::c64;
};
template <>
struct dtype_of<std::complex<double>> {
  static constexpr DType value = DType::c128;
};

}  // namespace einloom
