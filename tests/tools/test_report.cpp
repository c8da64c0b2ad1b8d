// What is printed of tensors and times.
#include <limits>

#include "tests/support/catch.h"
#include "tools/report.h"

using namespace einloom;
using namespace einloom::tools;

TEST_CASE("dense tensors print in aligned brackets") {
  CHECK(tensor_text(Tensor::scalar(270)) == "270\n");
  CHECK(tensor_text(Tensor::scalar(0.1)) == "0.1\n");
  CHECK(tensor_text(Tensor::from<double>({3}, {1, -2.5, 10})) == "[   1 -2.5   10]\n");
  CHECK(tensor_text(Tensor::from<std::int32_t>({2, 2}, {1, 2, 3, 40})) == "[[ 1  2]\n [ 3 40]]\n");
  CHECK(tensor_text(Tensor::from<std::int64_t>({2, 1, 2}, {1, 2, 3, 4})) == "[[[1 2]]\n\n [[3 4]]]\n");
  CHECK(tensor_text(Tensor::zeros(DType::f32, {0, 3})) == "[] (shape 0x3)\n");
  CHECK(tensor_text(Tensor::from<bool>({2}, std::vector<bool>{true, false})) == "[ true false]\n");
  CHECK(tensor_text(Tensor::from<std::complex<double>>({1}, {{1, -2}})) == "[1-2i]\n");
}

TEST_CASE("values print as the shortest text that reads back") {
  CHECK(tensor_text(Tensor::from<float>({}, {0.1f})) == "0.1\n");
  CHECK(tensor_text(Tensor::scalar(1.0 / 3)) == "0.3333333333333333\n");
  CHECK(tensor_text(Tensor::scalar(std::numeric_limits<double>::infinity())) == "inf\n");
}

TEST_CASE("sparse tensors print a line a coordinate") {
  const Tensor tensor = Tensor::coo<std::int64_t, double>({2, 3}, 2, {0, 1, 1, 2}, {1.5, 2});
  CHECK(tensor_text(tensor) == "shape 2x3, 2 non-zeros, csf f64\n(0, 1) 1.5\n(1, 2) 2\n");
}

TEST_CASE("non-zeros count what differs from the identity") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor tensor = Tensor::from<double>({3}, {0, infinity, 2});
  CHECK(nonzeros(tensor, Semiring::plus_times) == 2);
  CHECK(nonzeros(tensor, Semiring::min_plus) == 2);
  CHECK(nonzeros(Tensor::from<std::int32_t>({2}, {0, std::numeric_limits<std::int32_t>::max()}), Semiring::min_plus) ==
        1);
}

TEST_CASE("value range leaves NaN out") {
  const ValueRange range = value_range(Tensor::from<double>({3}, {-1, std::numeric_limits<double>::quiet_NaN(), 4}));
  CHECK(range.smallest == -1);
  CHECK(range.largest == 4);
  CHECK(range.nan == 1);
}

TEST_CASE("times") {
  const Times times = summarise({3, 1, 2, 10});
  CHECK(times.min == 1);
  CHECK(times.median == 2.5);
  CHECK(times.max == 10);
  CHECK(times.runs == 4);
  CHECK(milliseconds_text(0.012) == "12 us");
  CHECK(milliseconds_text(3.42) == "3.42 ms");
  CHECK(milliseconds_text(1200) == "1.20 s");
}
