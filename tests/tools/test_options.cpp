// The command line's small languages: shapes, counts, formats, numbers, amounts of memory.
#include "tests/support/catch.h"
#include "tools/options.h"

using namespace einloom;
using namespace einloom::tools;

TEST_CASE("shapes are extents with x between them, '-' or scalar") {
  const auto shapes = parse_shapes("50x40,-,scalar,7");
  REQUIRE(shapes.size() == 4);
  CHECK(shapes[0] == Shape{50, 40});
  CHECK(!shapes[1].has_value());
  CHECK(shapes[2] == Shape{});
  CHECK(shapes[3] == Shape{7});
  for (const char* bad : {"", "50x", "x", "5 0", "-5", "50y40", "3,", "1.5", "0x10y", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_shapes(bad), Error);
  }
}

TEST_CASE("a wrong extent is pointed at") {
  try {
    parse_shapes("50x40,30xq");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::input);
    CHECK(error.position() == 9);
  }
}

TEST_CASE("counts of non-zeros") {
  const auto counts = parse_counts("100,-");
  REQUIRE(counts.size() == 2);
  CHECK(counts[0] == 100);
  CHECK(!counts[1].has_value());
  CHECK_THROWS_AS(parse_counts("1e5"), Error);
}

TEST_CASE("numbers after a colon belong to the format before them") {
  using Formats = std::vector<std::string>;
  CHECK(split_formats("csf") == Formats{"csf"});
  CHECK(split_formats("csf,-,csc") == Formats{"csf", "", "csc"});
  CHECK(split_formats("csf:2,0,1,coo") == Formats{"csf:2,0,1", "coo"});
  CHECK(split_formats("csf:2-0-1,coo:1-0") == Formats{"csf:2,0,1", "coo:1,0"});
  CHECK_THROWS_AS(split_formats("csf,,coo"), Error);
  CHECK_THROWS_AS(split_formats(""), Error);
}

TEST_CASE("complex numbers") {
  using C = std::complex<double>;
  CHECK(parse_complex("2") == C(2, 0));
  CHECK(parse_complex("-1.5e3") == C(-1500, 0));
  CHECK(parse_complex("+4") == C(4, 0));
  CHECK(parse_complex("3i") == C(0, 3));
  CHECK(parse_complex("i") == C(0, 1));
  CHECK(parse_complex("-j") == C(0, -1));
  CHECK(parse_complex("1+2i") == C(1, 2));
  CHECK(parse_complex("1e-3-2e+4i") == C(1e-3, -2e4));
  CHECK(parse_complex("-1-i") == C(-1, -1));
  for (const char* bad : {"", "x", "1+", "1+2", "2i3", "1++2i", "1 2", "i1"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_complex(bad), UsageError);
  }
}

TEST_CASE("amounts of memory are powers of 1024") {
  CHECK(parse_bytes("64") == 64);
  CHECK(parse_bytes("64K") == 64 * 1024);
  CHECK(parse_bytes("3M") == 3 * 1024 * 1024);
  CHECK(parse_bytes("2G") == std::int64_t{2} << 30);
  for (const char* bad : {"", "0", "-1", "K", "5Q", "5KB", "1.5G", "9999999999999999999", "9223372036854775807K"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_bytes(bad), UsageError);
  }
}

TEST_CASE("devices this build lacks are a device error, other words wrong usage") {
  CHECK_NOTHROW(require_device("cpu"));
  CHECK_THROWS_AS(require_device("cuda"), Error);
  CHECK_THROWS_AS(require_device("cuda:1"), Error);
  CHECK_THROWS_AS(require_device("cuda:sm_90a"), Error);
  for (const char* bad : {"", "gpu", "cpu:0", "cuda:", "cuda:x"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(require_device(bad), UsageError);
  }
}

TEST_CASE("options of a call") {
  CallOptions call;
  call.out_format = "coo";
  call.dtype = "float32";
  call.semiring = "min_plus";
  call.alpha = "2";
  Options options = to_options(call);
  CHECK(options.out_format == Layout::coo);
  CHECK(options.dtype == DType::f32);
  CHECK(options.semiring == Semiring::min_plus);
  CHECK(options.alpha == std::complex<double>(2));
  CHECK(options.beta == std::complex<double>(0));
  call.accumulate = "x.npy";
  CHECK_THROWS_AS(to_options(call), UsageError);  // a sparse layout
  call.out_format.clear();
  CHECK(to_options(call).beta == std::complex<double>(1));
}

TEST_CASE("the text's own semiring wins over the option") {
  CallOptions call;
  call.semiring = "max-plus";
  CHECK(semiring_in_force(call, parse("ij->i")) == Semiring::max_plus);
  CHECK(semiring_in_force(call, parse("C[i] min= A[i,j] + B[j]")) == Semiring::min_plus);
  CHECK(semiring_in_force({}, parse("ij->i")) == Semiring::plus_times);
}
