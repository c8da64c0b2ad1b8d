#include <limits>

#include "frontend/error.h"
#include "frontend/tensor_desc.h"
#include "tests/frontend/case_support.h"
#include "tests/support/catch.h"

using namespace einloom;
using einloom::test::error_of;

using Extents = std::vector<std::int64_t>;
using Levels = std::vector<Level>;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr Level D = Level::dense, C = Level::compressed, N = Level::nonunique, S = Level::singleton;

}  // namespace

TEST_CASE("formats by name and by letters", "[format]") {
  CHECK(parse_format("csf", 3) == Format{{C, C, C}, {0, 1, 2}});
  CHECK(parse_format("csf:2,0,1", 3) == Format{{C, C, C}, {2, 0, 1}});
  CHECK(parse_format("coo", 3) == Format{{N, S, S}, {0, 1, 2}});
  CHECK(parse_format("coo", 1) == Format{{N}, {0}});
  CHECK(parse_format("coo:1,0", 2) == Format{{N, S}, {1, 0}});
  CHECK(parse_format("csr", 2) == Format{{D, C}, {0, 1}});
  CHECK(parse_format("csc", 2) == Format{{D, C}, {1, 0}});
  CHECK(parse_format("dense", 2) == Format{{D, D}, {0, 1}});
  CHECK(parse_format("dcns:3,2,1,0", 4) == Format{{D, C, N, S}, {3, 2, 1, 0}});
  CHECK(parse_format("csf", 0) == Format{});
  CHECK(resolve({}, 2) == Format{{C, C}, {0, 1}});
  CHECK(resolve(csf({1, 0}), 2) == Format{{C, C}, {1, 0}});
  CHECK(resolve(coo(), 3) == Format{{N, S, S}, {0, 1, 2}});
  CHECK(resolve(coo({2, 1, 0}), 3) == Format{{N, S, S}, {2, 1, 0}});
  CHECK(resolve(csc(), 2) == csc());
  for (const char* text : {"cc", "dc:1,0", "ns", "dcns:3,2,1,0"}) {
    const int order = static_cast<int>(std::string(text).substr(0, std::string(text).find(':')).size());
    CHECK(to_string(parse_format(text, order)) == text);
  }
}

TEST_CASE("wrong formats", "[format]") {
  struct Row {
    std::string text;
    int order;
    std::string message;
    std::size_t position;
  };
  const std::string letters =
      "a format is csf, coo, csr, csc, dense, or one letter a level: d(ense), c(ompressed), n(onunique), s(ingleton)";
  const std::vector<Row> table = {
      {"", 2, "an empty format: expected csf, coo, csr, csc, dense or one letter a level", 0},
      {":1,0", 2, "an empty format: expected csf, coo, csr, csc, dense or one letter a level", 0},
      {"cx", 2, letters, 1},
      {"CSF", 2, letters, 0},
      {"csr", 3, "a format of 2 levels does not fit a tensor of 3 modes", 0},
      {"cc", 3, "a format of 2 levels does not fit a tensor of 3 modes", 0},
      {"cc:0", 2, "the mode order 0 does not name each of 2 modes once", 0},
      {"cc:0,0", 2, "the mode order 0,0 does not name each of 2 modes once", 0},
      {"cc:0,2", 2, "the mode order 0,2 does not name each of 2 modes once", 0},
      {"cc:", 2, "a mode order is numbers separated by ',', such as 2,0,1", 3},
      {"cc:0,", 2, "a mode order is numbers separated by ',', such as 2,0,1", 5},
      {"cc:-1,0", 2, "a mode order is numbers separated by ',', such as 2,0,1", 3},
      {"cc:99999999999,0", 2, "a mode order is numbers separated by ',', such as 2,0,1", 3},
      {"cc:0;1", 2, "expected ',' between the modes of a mode order", 4},
      {"sc", 2, "level 0 is singleton, which must follow a nonunique or singleton level", 0},
      {"cs", 2, "level 1 is singleton, which must follow a nonunique or singleton level", 0},
      {"ds", 2, "level 1 is singleton, which must follow a nonunique or singleton level", 0},
  };
  for (const Row& row : table) {
    INFO("format: " << row.text);
    const Error error = error_of([&] { parse_format(row.text, row.order); });
    CHECK(error.message() == row.message);
    CHECK(error.position() == row.position);
    CHECK(error.kind() == Error::Kind::input);
  }
  CHECK(error_of([] { resolve({}, -1); }).message() == "a tensor cannot have -1 modes");
}

TEST_CASE("dense descriptors", "[desc]") {
  const TensorDesc desc = dense_desc(DType::f32, {2, 3, 4});
  CHECK(desc.strides == Extents{12, 4, 1});
  CHECK(desc.size() == 24);
  CHECK(desc.nnz() == 24);
  CHECK(desc.order() == 3);
  CHECK(dense_desc(DType::f32, {}).size() == 1);
  CHECK(dense_desc(DType::f32, {3, 0, 2}).strides == Extents{2, 2, 1});
  CHECK(dense_desc(DType::f32, {3, 0, 2}).size() == 0);
  CHECK(dense_desc(DType::f32, {2, 2}, {-1, 5}).strides == Extents{-1, 5});
  CHECK(error_of([] { dense_desc(DType::f32, {2, 2}, {1}); }).message() == "a tensor of 2 modes was given 1 strides");
  CHECK(error_of([] { dense_desc(DType::f32, {2, -2}); }).message() == "extent -2 of mode 1 is negative");
  CHECK(error_of([] {
          dense_desc(DType::f32, {2, most, most});
        }).message() ==
        "the strides of a dense tensor: 9223372036854775807 x 9223372036854775807 does not fit 64 bits");
}

TEST_CASE("sparse descriptors estimate their nodes", "[desc]") {
  CHECK(sparse_desc(DType::f64, {50, 40}, 100).nodes == Extents{43, 100});  // 50 (1 - (49/50)^100) = 43.4
  CHECK(sparse_desc(DType::f64, {50, 40}, 100, csr()).nodes == Extents{50, 100});
  CHECK(sparse_desc(DType::f64, {50, 40}, 100, csc()).nodes == Extents{40, 100});
  CHECK(sparse_desc(DType::f64, {50, 40}, 100, coo()).nodes == Extents{100, 100});
  CHECK(sparse_desc(DType::f64, {10, 10, 10}, 500, coo()).nodes == Extents{500, 500, 500});
  CHECK(sparse_desc(DType::f64, {50, 4}, 100, {{C, D}, {}}).nodes == Extents{43, 172});
  CHECK(sparse_desc(DType::f64, {5, 4, 3}, 7, {{D, D, C}, {}}).nodes == Extents{5, 20, 7});
  CHECK(sparse_desc(DType::f64, {50, 40}, 0).nodes == Extents{0, 0});
  CHECK(sparse_desc(DType::f64, {50, 40}, 1).nodes == Extents{1, 1});
  CHECK(sparse_desc(DType::f64, {1, 40}, 40).nodes == Extents{1, 40});
  CHECK(sparse_desc(DType::f64, {0, 40}, 0).nodes == Extents{0, 0});
  CHECK(sparse_desc(DType::f64, {}, 1).nnz() == 1);
  // Tiny probabilities: every coordinate falls on a root of its own.
  CHECK(sparse_desc(DType::f64, {most, 4}, 1000).nodes == Extents{1000, 1000});
  CHECK(sparse_desc(DType::f64, {most, most, most}, 1000).size() == most);
  const TensorDesc desc = sparse_desc(DType::f64, {50, 40}, 100);
  CHECK(desc.format == Format{{C, C}, {0, 1}});
  CHECK(desc.nnz() == 100);
  CHECK(desc.size() == 2000);
  CHECK(desc.strides.empty());
}

TEST_CASE("64-bit indices where 32 bits do not hold them", "[desc]") {
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  CHECK_FALSE(sparse_desc(DType::f64, {limit - 1, 4}, 10).wide);
  CHECK(sparse_desc(DType::f64, {limit, 4}, 10).wide);
  CHECK(sparse_desc(DType::f64, {100000, 100000}, limit).wide);
  CHECK_FALSE(sparse_desc(DType::f64, {100000, 100000}, limit - 1).wide);
}

TEST_CASE("impossible counts of non-zeros", "[desc]") {
  CHECK(error_of([] {
          sparse_desc(DType::f64, {2, 3}, 7);
        }).message() == "a tensor of shape 2x3 cannot have 7 non-zeros");
  CHECK(error_of([] {
          sparse_desc(DType::f64, {2, 3}, -1);
        }).message() == "a tensor of shape 2x3 cannot have -1 non-zeros");
  CHECK(error_of([] { sparse_desc(DType::f64, {2, -3}, 0); }).message() == "extent -3 of mode 1 is negative");
  CHECK(error_of([] {
          sparse_desc(DType::f64, {most, most}, 5, {{D, D}, {}});
        }).message() ==
        "the number of stored positions: 9223372036854775807 x 9223372036854775807 does not fit 64 bits");
}

TEST_CASE("checked arithmetic", "[desc]") {
  CHECK(checked_mul(3, 4, "x") == 12);
  CHECK(checked_add(most - 1, 1, "x") == most);
  CHECK(checked_product({}, "x") == 1);
  CHECK(checked_product({most, most, 0}, "x") == 0);
  CHECK(error_of([] { checked_mul(most, 2, "a size"); }).message() ==
        "a size: 9223372036854775807 x 2 does not fit 64 bits");
  CHECK(error_of([] { checked_add(most, 1, "a size"); }).message() ==
        "a size: 9223372036854775807 + 1 does not fit 64 bits");
  CHECK(error_of([] {
          checked_product({4294967296, 4294967296}, "the output");
        }).message() == "the output: 4294967296x4294967296 does not fit 64 bits");
}
