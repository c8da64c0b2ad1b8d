#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "files_support.h"
#include "runtime/memory.h"
#include "runtime/storage.h"
#include "tests/support/catch.h"

using namespace einloom;
using Row = std::vector<std::int64_t>;

namespace {

// Random rows with repeats, through coo(), against a map.
void check_random(const std::vector<std::int64_t>& extents, std::int64_t nnz, std::int64_t range, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> coords;
  std::vector<std::int64_t> values;
  std::map<Row, std::int64_t> expected;
  for (std::int64_t i = 0; i < nnz; ++i) {
    Row row;
    // Coordinates near both ends, so that high bits matter.
    for (const std::int64_t e : extents) {
      const auto c = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(std::min(range, e)));
      row.push_back(random() % 2 != 0 ? c : e - 1 - c);
    }
    values.push_back(static_cast<std::int64_t>(random()));
    auto& sum = expected[row];
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(values.back()));
    coords.insert(coords.end(), row.begin(), row.end());
  }
  const Tensor t = Tensor::coo(extents, nnz, coords, values);
  REQUIRE(t.nnz() == static_cast<std::int64_t>(expected.size()));
  std::vector<std::int64_t> want_coords, want_values;
  for (const auto& [row, value] : expected) {
    want_coords.insert(want_coords.end(), row.begin(), row.end());
    want_values.push_back(value);
  }
  CHECK(t.coordinates() == want_coords);
  CHECK(values_of<std::int64_t>(t) == want_values);
}

template <class T>
std::vector<T> combined(std::vector<T> values, Semiring semiring) {
  std::vector<std::int64_t> coords(values.size(), 3);
  return values_of<T>(Tensor::coo({5}, static_cast<std::int64_t>(values.size()), coords, values, csf(), semiring));
}

}  // namespace

TEST_CASE("keys sort and combine at any width", "[sort]") {
  check_random({7}, 50, 7, 1);
  check_random({50, 40}, 3000, 40, 2);
  check_random({1000000, 1000000}, 200000, 300, 3);
  SECTION("more than 64 bits: extents multiply past 2^64") {
    check_random({1605, 4198, 1631, 4209, 868131}, 20000, 4, 4);
  }
  SECTION("more than 128 bits") {
    const std::int64_t big = std::int64_t{1} << 40;
    check_random({big, big, big, big, 5}, 70000, 3, 5);
  }
  SECTION("extents of one") { check_random({1, 3, 1}, 20, 3, 6); }
  SECTION("an extent of 63 bits") { check_random({std::numeric_limits<std::int64_t>::max(), 2}, 1000, 20, 7); }
}

TEST_CASE("layouts put the first level in the high bits", "[sort]") {
  const KeyLayout layout = key_layout({1605, 4198, 1631, 4209, 868131});  // 11 + 13 + 11 + 13 bits, then 20
  CHECK(layout.words == 2);
  CHECK(layout.fields[0].shift == 37);
  CHECK(layout.fields[3].shift == 0);
  CHECK(layout.fields[4].word == 1);
  CHECK(layout.fields[4].bits == 20);
  CHECK(key_layout({}).words == 1);
}

TEST_CASE("repeats combine under the semiring, in order of appearance", "[sort]") {
  CHECK(combined<double>({1, 2, 4}, Semiring::plus_times) == std::vector<double>{7});
  CHECK(combined<double>({3, -2, 4}, Semiring::min_plus) == std::vector<double>{-2});
  CHECK(combined<double>({3, -2, 4}, Semiring::max_plus) == std::vector<double>{4});
  CHECK(combined<double>({3, 2, 4}, Semiring::max_times) == std::vector<double>{4});
  CHECK(combined<double>({0, 2}, Semiring::or_and) == std::vector<double>{1});
  CHECK(combined<double>({0, 0}, Semiring::or_and) == std::vector<double>{0});
  CHECK(combined<std::int32_t>({std::numeric_limits<std::int32_t>::max(), 1}, Semiring::plus_times) ==
        std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min()});
  CHECK(combined<float>({1e8F, 1, -1e8F}, Semiring::plus_times) == std::vector<float>{0});
  CHECK(combined<std::complex<double>>({{1, 2}, {3, 4}}, Semiring::plus_times) ==
        std::vector<std::complex<double>>{{4, 6}});
  CHECK(message_of([] {
          combined<std::complex<double>>({{1, 2}, {3, 4}}, Semiring::min_plus);
        }) == "the semiring min-plus needs an order, which complex numbers do not have");
  CHECK(std::isnan(combined<double>({1, std::nan("")}, Semiring::min_plus)[0]));
  const std::vector<std::int64_t> coords{0, 0};
  const auto bools = Tensor::coo_raw(DType::boolean, {2}, 2, coords.data(), true,
                                     std::array<bool, 2>{true, true}.data(), csf(), Semiring::plus_times);
  CHECK(values_of<bool>(bools) == std::vector<bool>{true});
}

TEST_CASE("halves are combined in f32 and rounded once", "[sort]") {
  // 2048 + 1 + 1 is 2050 in f16 only if the ones are added before rounding.
  const std::vector<f16> values{to_f16(2048), to_f16(1), to_f16(1)};
  const Tensor t = Tensor::coo({1}, 3, std::vector<std::int64_t>{0, 0, 0}, values);
  CHECK(to_float(t.data<f16>()[0]) == 2050);
  const std::vector<bf16> b{to_bf16(256), to_bf16(1), to_bf16(1)};
  CHECK(to_float(Tensor::coo({1}, 3, std::vector<std::int64_t>{0, 0, 0}, b).data<bf16>()[0]) == 258);
}

TEST_CASE("identities", "[sort]") {
  const auto identity = [](DType type, Semiring s) {
    Tensor t = make_dense(type, {});
    write_identity(type, s, t.storage()->data);
    return t;
  };
  CHECK(identity(DType::i32, Semiring::min_plus).item<std::int32_t>() == std::numeric_limits<std::int32_t>::max());
  CHECK(identity(DType::i64, Semiring::max_plus).item<std::int64_t>() == std::numeric_limits<std::int64_t>::min());
  CHECK(identity(DType::f32, Semiring::min_plus).item<float>() == std::numeric_limits<float>::infinity());
  CHECK(identity(DType::f64, Semiring::max_plus).item<double>() == -std::numeric_limits<double>::infinity());
  CHECK(identity(DType::f64, Semiring::max_times).item<double>() == 0);
  CHECK(to_float(identity(DType::f16, Semiring::max_plus).item<f16>()) == -std::numeric_limits<float>::infinity());
  CHECK_FALSE(identity(DType::boolean, Semiring::or_and).item<bool>());
}
