#include "tests/frontend/case_support.h"
#include "tests/support/catch.h"

using namespace einloom;
using namespace einloom::test;

using Labels = std::vector<int>;
using Extents = std::vector<std::int64_t>;

namespace {

struct Row {
  std::string text, shapes, options;
  std::vector<Labels> inputs;
  Labels output;
  Extents extents;
};

void check(const Row& row) {
  INFO(row.text << "  " << row.shapes << "  " << row.options);
  const Contraction c = bind_text(row.text, row.shapes, row.options);
  CHECK(c.inputs == row.inputs);
  CHECK(c.output == row.output);
  CHECK(c.extents == row.extents);
  CHECK(c.names.size() == c.extents.size());
  CHECK(c.operands == operands_from(row.shapes));
  Extents shape;
  for (const int label : row.output) shape.push_back(row.extents[static_cast<std::size_t>(label)]);
  CHECK(c.output_extents() == shape);
}

}  // namespace

TEST_CASE("labels become canonical numbers with extents", "[bind]") {
  const std::vector<Row> table = {
      {"ij,jk->ik", "2x3 3x4", "", {{0, 1}, {1, 2}}, {0, 2}, {2, 3, 4}},
      {"zy,yx->zx", "2x3 3x4", "", {{0, 1}, {1, 2}}, {0, 2}, {2, 3, 4}},
      {"C[a,c] = A[a,b] * B[b,c]", "2x3 3x4", "", {{0, 1}, {1, 2}}, {0, 2}, {2, 3, 4}},
      {"ba", "2x3", "", {{0, 1}}, {1, 0}, {2, 3}},
      {"ij,j", "0x3 3", "", {{0, 1}, {1}}, {0}, {0, 3}},
      {"abc,a,b->c", "1x1x0 1 1", "", {{0, 1, 2}, {0}, {1}}, {2}, {1, 1, 0}},
      {"abc,cd,de,eba->",
       "2000x2000x0 0x0 0x0 0x2000x2000",
       "",
       {{0, 1, 2}, {2, 3}, {3, 4}, {4, 1, 0}},
       {},
       {2000, 2000, 0, 0, 0}},
      {"i,i->", "0 0", "", {{0}, {0}}, {}, {0}},
      {"i,i->", "1 1", "", {{0}, {0}}, {}, {1}},
      {"i,i->", "1 1", "broadcast", {{0}, {0}}, {}, {1}},
      {",->", ". .", "", {{}, {}}, {}, {}},
      {"->", ".", "", {{}}, {}, {}},
      {"", ".", "", {{}}, {}, {}},
      {"s = A", ".", "", {{}}, {}, {}},
      {"ii->i", "3x3", "", {{0, 0}}, {0}, {3}},
      {"aab->b", "2x2x2", "", {{0, 0, 1}}, {1}, {2, 2}},
      {"bbcdc->d", "1x1x3x1x3", "", {{0, 0, 1, 2, 1}}, {2}, {1, 3, 1}},
      {"aabb->ab", "5x5x5x5", "", {{0, 0, 1, 1}}, {0, 1}, {5, 5}},
      {"i->ii", "3", "diagonal", {{0}}, {0, 0}, {3}},
      {"ab,ba->", "2x3 3x2", "", {{0, 1}, {1, 0}}, {}, {2, 3}},
  };
  for (const Row& row : table) check(row);
}

TEST_CASE("an extent of 1 that stretches has a label of its own", "[bind]") {
  const std::vector<Row> table = {
      {"i,i", "2 1", "broadcast", {{0}, {1}}, {}, {2, 1}},
      {"i,i", "1 2", "broadcast", {{0}, {1}}, {}, {1, 2}},
      {"i,i->i", "1 2", "broadcast", {{0}, {1}}, {1}, {1, 2}},
      {"i,i->i", "1 0", "broadcast", {{0}, {1}}, {1}, {1, 0}},
      {"i,i,i->i", "1 4 1", "broadcast", {{0}, {1}, {2}}, {1}, {1, 4, 1}},
      {"t...i,ti->t...", "10x2 1x2", "broadcast", {{0, 1}, {2, 1}}, {0}, {10, 2, 1}},
      {"ii->i", "1x3", "broadcast", {{0, 1}}, {1}, {1, 3}},
      {"ii->i", "3x1", "broadcast", {{0, 1}}, {0}, {3, 1}},
      {"ii->i", "1x1", "broadcast", {{0, 0}}, {0}, {1}},
  };
  for (const Row& row : table) check(row);
  CHECK(bind_text("i,i->i", "1 2", "broadcast").names == std::vector<std::string>{"i'", "i"});
}

TEST_CASE("ellipses are aligned at the right and always broadcast", "[bind]") {
  const std::vector<Row> table = {
      {"i...->i", "3x3x3", "", {{0, 1, 2}}, {0}, {3, 3, 3}},
      {"...ij,...jk->...ik", "2x3x4 2x4x5", "", {{0, 1, 2}, {0, 2, 3}}, {0, 1, 3}, {2, 3, 4, 5}},
      {"...ij,...jk->...ik", "7x2x3x4 2x4x5", "", {{0, 1, 2, 3}, {1, 3, 4}}, {0, 1, 2, 4}, {7, 2, 3, 4, 5}},
      {"...ij,...jk->...ik", "3x4 7x2x4x5", "", {{0, 1}, {2, 3, 1, 4}}, {2, 3, 0, 4}, {3, 4, 7, 2, 5}},
      {"...ij,...jk", "2x3x4 4x5", "", {{0, 1, 2}, {2, 3}}, {0, 1, 3}, {2, 3, 4, 5}},
      {"...,...->...", "2x1 3", "", {{0, 1}, {2}}, {0, 2}, {2, 1, 3}},
      {"...,...->...", "3 1", "", {{0}, {1}}, {0}, {3, 1}},
      {"...,...", ". 3", "", {{}, {0}}, {0}, {3}},
      {"...", "2x3", "", {{0, 1}}, {0, 1}, {2, 3}},
      {"...->", "2x3", "", {{0, 1}}, {}, {2, 3}},
      {"...i->i...", "2x3x4", "", {{0, 1, 2}}, {2, 0, 1}, {2, 3, 4}},
      {"i...->...i", "4", "", {{0}}, {0}, {4}},
      {"i...,i->...", "4x5 4", "", {{0, 1}, {0}}, {1}, {4, 5}},
  };
  for (const Row& row : table) check(row);
}

TEST_CASE("result types and semirings", "[bind]") {
  struct Types {
    std::string text, shapes, options;
    Semiring semiring;
    DType result, compute;
  };
  const std::vector<Types> table = {
      {"i,i->", "2:f32 2:i32", "", Semiring::plus_times, DType::f64, DType::f64},
      {"i,i->", "2:f16 2:f16", "", Semiring::plus_times, DType::f16, DType::f32},
      {"i,i->", "2:f16 2:bf16", "", Semiring::plus_times, DType::f32, DType::f32},
      {"i,i->", "2:bf16 2:bool", "", Semiring::plus_times, DType::bf16, DType::f32},
      {"i,i->", "2:bool 2:bool", "", Semiring::or_and, DType::boolean, DType::boolean},
      {"i,i->", "2:bool 2:bool", "dtype=i64", Semiring::plus_times, DType::i64, DType::i64},
      {"i,i->", "2:bool 2:bool", "dtype=bool", Semiring::or_and, DType::boolean, DType::boolean},
      {"i,i->", "2:f64 2:c64", "semiring=or-and", Semiring::or_and, DType::boolean, DType::boolean},
      {"i,i->", "2:f64 2:f64", "semiring=or-and dtype=bool", Semiring::or_and, DType::boolean, DType::boolean},
      {"i,i->", "2:f64 2:f64", "dtype=f16", Semiring::plus_times, DType::f16, DType::f32},
      {"i,i->", "2:i64 2:i64", "dtype=i32", Semiring::plus_times, DType::i32, DType::i32},
      {"i,i->", "2:i64 2:i64", "dtype=f32", Semiring::plus_times, DType::f32, DType::f32},
      {"i,i->", "2:f64 2:f64", "dtype=c64", Semiring::plus_times, DType::c64, DType::c64},
      {"i,i->", "2:c128 2:f32", "dtype=c64", Semiring::plus_times, DType::c64, DType::c64},
      {"i,i->", "2:i32 2:i32", "semiring=min-plus", Semiring::min_plus, DType::i32, DType::i32},
      {"i,i->", "2:bf16 2:bf16", "semiring=max-times", Semiring::max_times, DType::bf16, DType::f32},
      {"i,i->", "2:bool 2:i32", "semiring=max-plus", Semiring::max_plus, DType::i32, DType::i32},
      {"i,i->", "2:bool 2:bool", "semiring=max-plus dtype=i32", Semiring::max_plus, DType::i32, DType::i32},
      {"s min= A[i] + B[i]", "2:f32 2:f32", "", Semiring::min_plus, DType::f32, DType::f32},
      {"s min= A[i] + B[i]", "2:f32 2:f32", "semiring=max-plus", Semiring::min_plus, DType::f32, DType::f32},
      {"s or= A[i] and B[i]", "2:f32 2:i64", "", Semiring::or_and, DType::boolean, DType::boolean},
  };
  for (const Types& row : table) {
    INFO(row.text << "  " << row.shapes << "  " << row.options);
    const Contraction c = bind_text(row.text, row.shapes, row.options);
    CHECK(c.semiring == row.semiring);
    CHECK(c.result == row.result);
    CHECK(c.compute == row.compute);
  }
  CHECK(bind_text("C[i] += A[i]", "2").accumulate);
  CHECK_FALSE(bind_text("C[i] = A[i]", "2").accumulate);
}

TEST_CASE("same() looks past the names and at nothing else", "[bind]") {
  const Contraction c = bind_text("ij,jk->ik", "2x3 3x4");
  CHECK(c.same(bind_text("ab,bc->ac", "2x3 3x4")));
  CHECK(c.same(bind_text("R[x,z] = L[x,y] * M[y,z]", "2x3 3x4")));
  CHECK(c.same(einloom::bind(interleaved({{9, 4}, {4, 7}}, nullptr), operands_from("2x3 3x4"))) == false);
  CHECK(c.same(einloom::bind(interleaved({{1, 4}, {4, 7}}, nullptr), operands_from("2x3 3x4"))));
  CHECK_FALSE(c.same(bind_text("ij,jk->ki", "2x3 3x4")));
  CHECK_FALSE(c.same(bind_text("ij,jk->ik", "2x3 3x5")));
  CHECK_FALSE(c.same(bind_text("ij,jk->ik", "2x3:f32 3x4:f32")));
  CHECK_FALSE(c.same(bind_text("ij,jk->ik", "2x3 3x4", "semiring=min-plus")));
  CHECK_FALSE(c.same(bind_text("ij,jk->ik", "2x3 3x4", "dtype=f32")));
  CHECK_FALSE(c.same(bind_text("C[i,k] += A[i,j] * B[j,k]", "2x3 3x4")));
  const std::vector<TensorDesc> sparse = {sparse_desc(DType::f64, {2, 3}, 2), dense_desc(DType::f64, {3, 4})};
  CHECK_FALSE(c.same(einloom::bind(parse("ij,jk->ik"), sparse)));
}

TEST_CASE("extents that multiply past 64 bits bind", "[bind]") {
  const Extents extents = {1605, 4198, 1631, 4209, 868131};
  const Contraction c = einloom::bind(parse("abcde->a"), {sparse_desc(DType::f64, extents, 10)});
  CHECK(c.extents == extents);
}

TEST_CASE("the stage contraction", "[bind]") {
  const std::vector<TensorDesc> operands = {sparse_desc(DType::f32, {50, 40}, 100),
                                            dense_desc(DType::f32, {40, 8}, {1, 40})};
  CHECK(to_string(einloom::bind(parse("ij,jk->ik"), operands)) ==
        "operand 0  [0 1]  f32 50x40  sparse cc, 100 stored\n"
        "operand 1  [1 2]  f32 40x8  dense, strides 1,40\n"
        "output     [0 2]  f32 50x8\n"
        "labels     0=i:50 1=j:40 2=k:8\n"
        "semiring   plus-times, sums kept in f32\n");
  CHECK(to_string(bind_text("->", ".")) ==
        "operand 0  []  f64 scalar  dense\noutput     []  f64 scalar\nlabels     none\n"
        "semiring   plus-times, sums kept in f64\n");
}
