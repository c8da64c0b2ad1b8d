#include <array>
#include <cmath>
#include <limits>

#include "files_support.h"
#include "runtime/interop.h"
#include "runtime/storage.h"
#include "tests/support/catch.h"

using namespace einloom;
using Extents = std::vector<std::int64_t>;

TEST_CASE("views check what they are given", "[tensor]") {
  std::array<double, 12> data{};
  CHECK(Tensor::view(data.data(), {3, 4}).desc().strides == Extents{4, 1});
  CHECK(Tensor::view(data.data() + 11, {3, 4}, Extents{-4, -1}).data<double>() == data.data() + 11);
  CHECK(Tensor::view(static_cast<double*>(nullptr), {3, 0}).nnz() == 0);
  CHECK(message_of([] {
          Tensor::view(static_cast<double*>(nullptr), {3, 4});
        }) == "a view of shape 3x4 was given a null pointer");
  CHECK(message_of([&] { Tensor::view_raw(DType::f64, reinterpret_cast<char*>(data.data()) + 1, {2}); }) ==
        "a view's address is not aligned for f64: a multiple of 8 bytes is needed");
  CHECK(message_of([&] { Tensor::view(data.data(), {-1, 4}); }) == "extent -1 of mode 0 is negative");
  const std::int64_t big = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS_AS(Tensor::view(data.data(), {big, 2}), Error);
  CHECK_THROWS_AS(Tensor::view(data.data(), {3, 3}, Extents{big, 1}), Error);
  CHECK_THROWS_AS(Tensor::view(data.data(), {2, 2}, Extents{big / 8, 1}), Error);
  CHECK_THROWS_AS(Tensor::view(data.data(), {2, 2}, Extents{1}), Error);
}

TEST_CASE("from() copies and counts", "[tensor]") {
  const Tensor t = Tensor::from<float>({2, 2}, {1, 2, 3, 4});
  CHECK(values_of<float>(t) == std::vector<float>{1, 2, 3, 4});
  CHECK(message_of([] {
          Tensor::from<float>({2, 2}, {1, 2, 3});
        }) == "a tensor of shape 2x2 has 4 elements, but 3 values were given");
  CHECK(values_of<bool>(Tensor::from<bool>({2}, std::vector<bool>{true, false})) == std::vector<bool>{true, false});
  CHECK(Tensor().item<double>() == 0);
  CHECK(Tensor::scalar(2.5).item<double>() == 2.5);
  CHECK(message_of([&] { t.data<double>(); }) == "a tensor of f32 was asked for its elements as f64");
}

TEST_CASE("an allocation that cannot be had says what it needs", "[tensor]") {
  try {
    Tensor::zeros(DType::f64, {std::int64_t{1} << 45});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::memory);
    CHECK(std::string(error.what()).find("281474976710656 bytes") != std::string::npos);
    CHECK(std::string(error.what()).find("available") != std::string::npos);
  }
  CHECK_THROWS_AS(Tensor::zeros(DType::c128, {std::int64_t{1} << 61}), Error);
  CHECK_THROWS_AS(Tensor::zeros(DType::f64, {std::int64_t{1} << 40, std::int64_t{1} << 40}), Error);
}

TEST_CASE("strided tensors become contiguous, permuted, sparse and back", "[tensor]") {
  std::vector<double> data{0, 1, 2, 3, 4, 5};
  const Tensor t = Tensor::view(data.data(), {2, 3});
  const Tensor p = t.permute({1, 0});
  CHECK(p.extents() == Extents{3, 2});
  CHECK(values_of<double>(p.contiguous()) == std::vector<double>{0, 3, 1, 4, 2, 5});
  const Tensor flipped = Tensor::view(data.data() + 5, {2, 3}, Extents{-3, -1});
  CHECK(values_of<double>(flipped.contiguous()) == std::vector<double>{5, 4, 3, 2, 1, 0});
  const Tensor s = flipped.to_sparse();
  CHECK(s.nnz() == 5);
  CHECK(s.coordinates() == Extents{0, 0, 0, 1, 0, 2, 1, 0, 1, 1});
  CHECK(values_of<double>(s.to_dense()) == std::vector<double>{5, 4, 3, 2, 1, 0});
  CHECK(values_of<double>(s.permute({1, 0}).to_dense()) == std::vector<double>{5, 2, 4, 1, 3, 0});
  CHECK_THROWS_AS(t.permute({0, 0}), Error);
  CHECK_THROWS_AS(s.contiguous(), Error);
}

TEST_CASE("element types convert, or refuse what has no counterpart", "[tensor]") {
  const Tensor t = Tensor::from<double>({3}, {1.5, -2, 0});
  CHECK(values_of<std::int32_t>(t.to_dtype(DType::i32)) == std::vector<std::int32_t>{1, -2, 0});
  CHECK(values_of<bool>(t.to_dtype(DType::boolean)) == std::vector<bool>{true, true, false});
  CHECK(to_float(t.to_dtype(DType::f16).data<f16>()[0]) == 1.5F);
  CHECK(to_float(t.to_dtype(DType::bf16).data<bf16>()[1]) == -2.0F);
  CHECK(t.to_dtype(DType::c64).data<std::complex<float>>()[0] == std::complex<float>(1.5F, 0));
  CHECK(message_of([] { Tensor::from<double>({1}, {1e30}).to_dtype(DType::i64); }) ==
        "a value of f64 has no counterpart in i64");
  CHECK_THROWS_AS(Tensor::from<double>({1}, {std::nan("")}).to_dtype(DType::i32), Error);
  CHECK_THROWS_AS(Tensor::from<std::int64_t>({1}, {std::int64_t{1} << 40}).to_dtype(DType::i32), Error);
  CHECK_THROWS_AS(Tensor::from<std::complex<double>>({1}, {{1, 1}}).to_dtype(DType::f64), Error);
  CHECK(Tensor::from<std::complex<double>>({1}, {{3, 0}}).to_dtype(DType::f64).item<double>() == 3);
}

TEST_CASE("norm and sum", "[tensor]") {
  CHECK(Tensor::from<float>({2}, {3, 4}).norm() == 5);
  CHECK(Tensor::from<double>({2}, {3e200, 4e200}).norm() == Near(5e200).epsilon(1e-14));
  CHECK(Tensor::from<double>({2}, {3e-200, 4e-200}).norm() == Near(5e-200).epsilon(1e-14));
  CHECK(Tensor::from<double>({2}, {1.5, -4}).sum() == -2.5);
  CHECK(Tensor::from<std::complex<double>>({1}, {{3, 4}}).norm() == 5);
  CHECK(Tensor::zeros(DType::f64, {0, 3}).norm() == 0);
}

TEST_CASE("coo() names the first coordinate out of range", "[tensor]") {
  const std::vector<std::int32_t> coords{0, 0, 5, 1, 1, 9};
  const std::vector<double> values{1, 2, 3};
  CHECK(message_of([&] {
          Tensor::coo({5, 4}, 3, coords, values);
        }) == "coordinate 5 of non-zero 1 in mode 0 is out of range: the extent is 5");
  CHECK_THROWS_AS(Tensor::coo({5, 4}, 2, coords, values), Error);
  CHECK_THROWS_AS((Tensor::coo<std::int32_t, double>({5, 4}, -1, nullptr, nullptr)), Error);
  const Tensor empty = Tensor::coo<std::int32_t, double>({5, 0}, 0, {}, {});
  CHECK(empty.nnz() == 0);
  const Tensor scalar = Tensor::coo<std::int64_t, double>({}, 2, {}, {1, 2});
  CHECK_FALSE(scalar.sparse());
  CHECK(scalar.item<double>() == 3);
}

TEST_CASE("native pointers", "[tensor]") {
  const Tensor s = Tensor::from<double>({2, 2}, {0, 1, 2, 0}).to_sparse(csr());
  const NativeLevel level = native_level(s, 1);
  CHECK(level.nodes == 2);
  CHECK(static_cast<const std::int32_t*>(level.pos)[1] == 1);
  CHECK(static_cast<const std::int32_t*>(level.crd)[0] == 1);
  CHECK(native_level(s, 0).pos == nullptr);
  CHECK_THROWS_AS(native_level(s, 2), Error);
  CHECK_THROWS_AS(native_level(Tensor(), 0), Error);
}
