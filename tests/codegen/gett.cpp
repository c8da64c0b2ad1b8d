// The direct contraction against plain loops: every type and semiring, sizes around every edge of tile and block.
#include "gett_problem.h"
#include "tests/support/catch.h"

using namespace einloom;
using namespace einloom::testing;

namespace {

GettProblem matrix(std::int64_t m, std::int64_t n, std::int64_t k) {
  GettProblem p;
  p.a = "ik", p.b = "kj", p.c = "ij";
  p.extents = {{'i', m}, {'j', n}, {'k', k}};
  p.tiles.mr = 6, p.tiles.nr = 16, p.tiles.mc = 12, p.tiles.nc = 32, p.tiles.kc = 8;
  return p;
}

void set_types(GettProblem& p, DType type) {
  p.a_type = p.b_type = p.c_type = type;
  p.compute = accumulator(type);
  if (type == DType::boolean) p.semiring = Semiring::or_and;
}

constexpr DType types[] = {DType::boolean, DType::i32, DType::i64, DType::f16, DType::bf16,
                           DType::f32,     DType::f64, DType::c64, DType::c128};

}  // namespace

TEST_CASE("gett: sizes around the tile and the blocks") {
  for (std::int64_t m : {1, 5, 6, 7, 12, 13, 25})
    for (std::int64_t n : {1, 15, 16, 17, 32, 33, 70})
      for (std::int64_t k : {1, 7, 8, 9, 20}) {
        INFO(m << " x " << n << " x " << k);
        CHECK(mismatches(matrix(m, n, k)) == 0);
      }
}

TEST_CASE("gett: every element type") {
  for (DType type : types)
    for (std::int64_t k : {5, 19}) {
      INFO(name(type) << " k " << k);
      GettProblem p = matrix(19, 37, k);
      set_types(p, type);
      CHECK(mismatches(p) == 0);
      p.accumulates = true;
      CHECK(mismatches(p) == 0);
      p.a = "ki", p.b = "jk";
      CHECK(mismatches(p) == 0);
    }
}

TEST_CASE("gett: every semiring") {
  for (Semiring semiring : {Semiring::min_plus, Semiring::max_plus, Semiring::max_times})
    for (DType type : {DType::i32, DType::i64, DType::f16, DType::f32, DType::f64}) {
      INFO(name(semiring) << " " << name(type));
      GettProblem p = matrix(13, 21, 17);
      set_types(p, type);
      p.semiring = semiring;
      CHECK(mismatches(p) == 0);
      p.accumulates = true;
      CHECK(mismatches(p) == 0);
    }
}

TEST_CASE("gett: alpha and beta") {
  for (DType type : types) {
    if (type == DType::boolean) continue;
    for (std::int64_t k : {7, 19}) {
      INFO(name(type) << " k " << k);
      GettProblem p = matrix(14, 33, k);
      set_types(p, type);
      p.scaled = true;
      p.alpha = is_complex(type) ? std::complex<double>(2, -1) : 2;
      CHECK(mismatches(p) == 0);
      p.accumulates = true;
      p.beta = is_complex(type) ? std::complex<double>(-1, 3) : -3;
      CHECK(mismatches(p) == 0);
    }
  }
}

TEST_CASE("gett: mixed types") {
  struct Mix {
    DType a, b, compute, c;
  };
  const Mix mixes[] = {
      {DType::f16, DType::bf16, DType::f32, DType::f32},    {DType::f32, DType::f64, DType::f64, DType::f64},
      {DType::f16, DType::f32, DType::f32, DType::f32},     {DType::i32, DType::f64, DType::f64, DType::f64},
      {DType::f64, DType::c128, DType::c128, DType::c128},  {DType::c64, DType::c128, DType::c128, DType::c128},
      {DType::f32, DType::f32, DType::f32, DType::f64},     {DType::f32, DType::f32, DType::f32, DType::c64},
      {DType::boolean, DType::i32, DType::i32, DType::i64}, {DType::i32, DType::i32, DType::i32, DType::f64},
      {DType::f16, DType::f16, DType::f32, DType::f64},     {DType::boolean, DType::f32, DType::f32, DType::f32}};
  for (const Mix& mix : mixes) {
    INFO(name(mix.a) << " " << name(mix.b) << " " << name(mix.compute) << " " << name(mix.c));
    GettProblem p = matrix(13, 35, 20);
    p.a_type = mix.a, p.b_type = mix.b, p.compute = mix.compute, p.c_type = mix.c;
    CHECK(mismatches(p) == 0);
    p.accumulates = p.scaled = true;
    p.alpha = 3, p.beta = 2;
    CHECK(mismatches(p) == 0);
  }
}

TEST_CASE("gett: or-and of other types gives bool") {
  GettProblem p = matrix(13, 35, 20);
  p.a_type = DType::f64, p.b_type = DType::c64, p.compute = p.c_type = DType::boolean;
  p.semiring = Semiring::or_and;
  CHECK(mismatches(p) == 0);
}

TEST_CASE("gett: groups of several labels, batches, permuted results") {
  const char* texts[][3] = {{"abc", "bda", "dc"},  {"abkl", "lckd", "abcd"}, {"akbl", "lkcd", "dbac"},
                            {"zik", "zkj", "zij"}, {"kizy", "jyzk", "yijz"}, {"abk", "ckd", "cabd"},
                            {"ik", "k", "i"},      {"k", "kj", "j"},         {"i", "j", "ij"}};
  for (const auto& text : texts)
    for (DType type : {DType::f32, DType::f64, DType::c64, DType::f16}) {
      INFO(text[0] << "," << text[1] << "->" << text[2] << " " << name(type));
      GettProblem p = matrix(1, 1, 1);
      p.a = text[0], p.b = text[1], p.c = text[2];
      p.extents = {{'a', 5}, {'b', 7},  {'c', 3},  {'d', 17}, {'k', 6},
                   {'l', 5}, {'i', 14}, {'j', 35}, {'y', 2},  {'z', 3}};
      set_types(p, type);
      CHECK(mismatches(p) == 0);
    }
}

// Rows of A along k in runs of four, within one label of several and with a remainder.
TEST_CASE("gett: runs of k") {
  for (std::int64_t l : {4, 8, 12, 13})
    for (DType type : {DType::f32, DType::f16, DType::c64, DType::i32, DType::boolean}) {
      INFO(name(type) << " l " << l);
      GettProblem p = matrix(1, 1, 1);
      p.a = "abkl", p.b = "lckd", p.c = "abcd";
      p.extents = {{'a', 5}, {'b', 7}, {'c', 3}, {'d', 17}, {'k', 3}, {'l', l}};
      set_types(p, type);
      CHECK(mismatches(p) == 0);
      p.a = "abl", p.b = "lcd";
      CHECK(mismatches(p) == 0);
    }
}

TEST_CASE("gett: narrow vectors") {
  for (int bytes : {8, 16, 32})
    for (DType type : types) {
      INFO(name(type) << " vectors of " << bytes << " bytes");
      GettProblem p = matrix(19, 37, 21);
      set_types(p, type);
      p.vector_bytes = bytes;
      CHECK(mismatches(p) == 0);
    }
}

TEST_CASE("gett: any tile") {
  for (int mr : {1, 3, 14})
    for (int nr : {1, 4, 24, 48})
      for (DType type : {DType::f32, DType::boolean, DType::c64}) {
        INFO(name(type) << " " << mr << " x " << nr);
        GettProblem p = matrix(29, 101, 23);
        set_types(p, type);
        p.tiles.mr = mr, p.tiles.nr = nr, p.tiles.kc = 0;
        CHECK(mismatches(p) == 0);
      }
}

TEST_CASE("gett: strides of any sign") {
  for (DType type : {DType::f64, DType::f32, DType::c128}) {
    GettProblem p = matrix(13, 33, 11);
    set_types(p, type);
    p.a_strides = {-11, 1};
    p.b_strides = {70, 2};
    p.c_strides = {-40, 1};
    CHECK(mismatches(p) == 0);
    p.c_strides = {40, -1};
    p.b_strides = {-33, -1};
    p.accumulates = true;
    CHECK(mismatches(p) == 0);
    p.c_strides = {3, 50};
    CHECK(mismatches(p) == 0);
    p.a_strides = {0, 1};
    CHECK(mismatches(p) == 0);
  }
}

TEST_CASE("gett: empty extents") {
  GettProblem p = matrix(0, 5, 5);
  CHECK(mismatches(p) == 0);
  p = matrix(5, 5, 0);
  CHECK(mismatches(p) == 0);
  p.scaled = p.accumulates = true;
  p.beta = 4;
  CHECK(mismatches(p) == 0);
  p = matrix(7, 20, 0);
  p.semiring = Semiring::min_plus;
  CHECK(mismatches(p) == 0);
}

// Large enough for the shape in which packed columns are shared by all tasks of a round.
TEST_CASE("gett: shared panels") {
  for (DType type : {DType::f32, DType::f64, DType::c64, DType::f16, DType::i32})
    for (int units : {1, 3, 7}) {
      INFO(name(type) << " units " << units);
      GettProblem p = matrix(1, 1, 1);
      p.a = "zabk", p.b = "kzj", p.c = "zabj";
      p.extents = {{'z', 2}, {'a', 5}, {'b', 29}, {'j', 163}, {'k', 33}};
      p.tiles = {}, p.tiles.mr = 6, p.tiles.nr = 16, p.tiles.mc = 36, p.tiles.nc = 96, p.tiles.kc = 16;
      p.units = units;
      p.flops = 1e6;
      set_types(p, type);
      CHECK(mismatches(p) == 0);
      p.accumulates = p.scaled = true;
      p.alpha = 2, p.beta = 3;
      CHECK(mismatches(p) == 0);
    }
}
