#include <cmath>
#include <cstring>
#include <limits>

#include "frontend/dtype.h"
#include "frontend/semiring.h"
#include "tests/support/catch.h"

using namespace einloom;

TEST_CASE("promotion is numpy.result_type, f16 with bf16 gives f32", "[dtype]") {
  using enum DType;
  const DType table[dtype_count][dtype_count] = {
      //  bool    i32   i64   f16   bf16  f32   f64   c64   c128
      {boolean, i32, i64, DType::f16, DType::bf16, f32, f64, c64, c128},
      {i32, i32, i64, f64, f64, f64, f64, c128, c128},
      {i64, i64, i64, f64, f64, f64, f64, c128, c128},
      {DType::f16, f64, f64, DType::f16, f32, f32, f64, c64, c128},
      {DType::bf16, f64, f64, f32, DType::bf16, f32, f64, c64, c128},
      {f32, f64, f64, f32, f32, f32, f64, c64, c128},
      {f64, f64, f64, f64, f64, f64, f64, c128, c128},
      {c64, c128, c128, c64, c64, c64, c128, c64, c128},
      {c128, c128, c128, c128, c128, c128, c128, c128, c128},
  };
  for (int a = 0; a < dtype_count; ++a) {
    for (int b = 0; b < dtype_count; ++b) {
      INFO(name(static_cast<DType>(a)) << " with " << name(static_cast<DType>(b)));
      CHECK(promote(static_cast<DType>(a), static_cast<DType>(b)) == table[a][b]);
    }
  }
}

TEST_CASE("promotion does not depend on the order of operands", "[dtype]") {
  for (int a = 0; a < dtype_count; ++a) {
    for (int b = 0; b < dtype_count; ++b) {
      for (int c = 0; c < dtype_count; ++c) {
        const auto x = static_cast<DType>(a), y = static_cast<DType>(b), z = static_cast<DType>(c);
        CHECK(promote(promote(x, y), z) == promote(x, promote(y, z)));
      }
    }
  }
}

TEST_CASE("names and sizes of element types", "[dtype]") {
  const std::pair<const char*, std::size_t> known[] = {{"bool", 1}, {"i32", 4}, {"i64", 8}, {"f16", 2},  {"bf16", 2},
                                                       {"f32", 4},  {"f64", 8}, {"c64", 8}, {"c128", 16}};
  for (int i = 0; i < dtype_count; ++i) {
    const auto type = static_cast<DType>(i);
    CHECK(std::string(name(type)) == known[i].first);
    CHECK(size_of(type) == known[i].second);
    CHECK(parse_dtype(name(type)) == type);
  }
  const std::pair<const char*, DType> numpy[] = {
      {"bool_", DType::boolean}, {"int32", DType::i32},     {"int64", DType::i64},
      {"float16", DType::f16},   {"bfloat16", DType::bf16}, {"float32", DType::f32},
      {"float64", DType::f64},   {"complex64", DType::c64}, {"complex128", DType::c128},
  };
  for (const auto& [text, type] : numpy) CHECK(parse_dtype(text) == type);
  for (const char* text : {"", "F32", "f32 ", "float128", "int8", "object"}) CHECK_FALSE(parse_dtype(text).has_value());
  CHECK(accumulator(DType::f16) == DType::f32);
  CHECK(accumulator(DType::bf16) == DType::f32);
  CHECK(accumulator(DType::i32) == DType::i32);
  CHECK(real_of(DType::c64) == DType::f32);
  CHECK(real_of(DType::c128) == DType::f64);
  CHECK(real_of(DType::f16) == DType::f16);
}

TEST_CASE("every 16-bit pattern survives the way through float", "[dtype]") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const f16 h{static_cast<std::uint16_t>(bits)};
    const bf16 b{static_cast<std::uint16_t>(bits)};
    const float hf = to_float(h), bf = to_float(b);
    const bool h_nan = (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0,
               b_nan = (bits & 0x7F80) == 0x7F80 && (bits & 0x7F) != 0;
    if (std::isnan(hf) != h_nan || std::isnan(bf) != b_nan) ++wrong;
    if (h_nan ? !std::isnan(to_float(to_f16(hf))) : to_f16(hf).bits != bits) ++wrong;
    if (b_nan ? !std::isnan(to_float(to_bf16(bf))) : to_bf16(bf).bits != bits) ++wrong;
    if (!h_nan && (bits & 0x7C00) != 0x7C00) {
      // The value by its definition.
      const int exponent = static_cast<int>((bits >> 10) & 31), fraction = static_cast<int>(bits & 0x3FF);
      const double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
      if (static_cast<double>(hf) != ((bits & 0x8000) != 0 ? -value : value)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rounding to 16 bits is to nearest, ties to even", "[dtype]") {
  // Between each two neighbours: the middle goes to the even one, a float step to either side to the nearer one.
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = to_float(f16{static_cast<std::uint16_t>(bits)}),
                high = to_float(f16{static_cast<std::uint16_t>(bits + 1)});
    const float middle = (low + high) / 2;
    if (to_f16(middle).bits != bits + (bits & 1)) ++wrong;
    if (to_f16(std::nextafter(middle, 0.0f)).bits != bits) ++wrong;
    if (to_f16(std::nextafter(middle, 1e9f)).bits != bits + 1) ++wrong;
    if (to_f16(-middle).bits != (0x8000 | (bits + (bits & 1)))) ++wrong;
  }
  for (std::uint32_t bits = 0; bits < 0x7F7F; ++bits) {
    std::uint32_t word = (bits << 16) | 0x8000;
    float middle;
    std::memcpy(&middle, &word, 4);
    if (to_bf16(middle).bits != bits + (bits & 1)) ++wrong;
    word -= 1;
    std::memcpy(&middle, &word, 4);
    if (to_bf16(middle).bits != bits) ++wrong;
    word += 2;
    std::memcpy(&middle, &word, 4);
    if (to_bf16(middle).bits != bits + 1) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(to_f16(65504.0f).bits == 0x7BFF);
  CHECK(to_f16(65519.9f).bits == 0x7BFF);
  CHECK(to_f16(65520.0f).bits == 0x7C00);
  CHECK(to_f16(1e30f).bits == 0x7C00);
  CHECK(to_f16(-std::numeric_limits<float>::infinity()).bits == 0xFC00);
  CHECK(to_f16(std::ldexp(1.0f, -25)).bits == 0);
  CHECK(to_f16(std::nextafter(std::ldexp(1.0f, -25), 1.0f)).bits == 1);
  CHECK(to_f16(-0.0f).bits == 0x8000);
  CHECK(to_f16(std::numeric_limits<float>::denorm_min()).bits == 0);
  CHECK(to_bf16(std::numeric_limits<float>::max()).bits == 0x7F80);
  CHECK(to_bf16(std::numeric_limits<float>::infinity()).bits == 0x7F80);
  CHECK(to_bf16(-0.0f).bits == 0x8000);
}

TEST_CASE("names of semirings", "[semiring]") {
  const char* names[] = {"plus-times", "min-plus", "max-plus", "max-times", "or-and"};
  for (int i = 0; i < semiring_count; ++i) {
    CHECK(std::string(name(static_cast<Semiring>(i))) == names[i]);
    CHECK(parse_semiring(names[i]) == static_cast<Semiring>(i));
  }
  CHECK(parse_semiring("min_plus") == Semiring::min_plus);
  for (const char* text : {"", "minplus", "plus-min", "Min-Plus"}) CHECK_FALSE(parse_semiring(text).has_value());
}
