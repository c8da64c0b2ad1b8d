#include <numeric>
#include <random>

#include "files_support.h"
#include "runtime/interop.h"
#include "runtime/storage.h"
#include "tests/support/catch.h"

using namespace einloom;
using Extents = std::vector<std::int64_t>;

namespace {

std::vector<std::int32_t> ints(const void* data, std::int64_t count) {
  const auto* const p = static_cast<const std::int32_t*>(data);
  return {p, p + count};
}

Tensor random_dense(std::mt19937& random, const Extents& extents, double density, double missing) {
  Tensor t = make_dense(DType::f64, extents);
  std::uniform_real_distribution<double> draw(0, 1);
  for (std::int64_t i = 0; i < t.nnz(); ++i)
    t.mutable_data<double>()[i] = draw(random) < density ? draw(random) + 1 : missing;
  return t;
}

// Every format of `order` levels that resolve() accepts, in every mode order.
std::vector<Format> all_formats(int order) {
  std::vector<Format> out;
  std::vector<int> modes(static_cast<std::size_t>(order));
  std::iota(modes.begin(), modes.end(), 0);
  do {
    for (int code = 0; code < 1 << (2 * order); ++code) {
      Format f;
      for (int l = 0; l < order; ++l) f.levels.push_back(static_cast<Level>(code >> (2 * l) & 3));
      f.order = modes;
      try {
        out.push_back(resolve(f, order));
      } catch (const Error&) {
        continue;
      }
      if (out.back() != f) out.pop_back();
    }
  } while (std::next_permutation(modes.begin(), modes.end()));
  return out;
}

}  // namespace

TEST_CASE("the arrays of a CSF tensor, as in SPLATT", "[levels]") {
  const Tensor t = Tensor::coo({3, 3, 4}, 4, std::vector<std::int32_t>{2, 0, 1, 0, 1, 3, 0, 1, 0, 0, 2, 2},
                               std::vector<double>{4, 2, 1, 3});
  CHECK(t.desc().nodes == Extents{2, 3, 4});
  CHECK_FALSE(t.desc().wide);
  CHECK(ints(native_level(t, 0).pos, 2) == std::vector<std::int32_t>{0, 2});
  CHECK(ints(native_level(t, 0).crd, 2) == std::vector<std::int32_t>{0, 2});
  CHECK(ints(native_level(t, 1).pos, 3) == std::vector<std::int32_t>{0, 2, 3});
  CHECK(ints(native_level(t, 1).crd, 3) == std::vector<std::int32_t>{1, 2, 0});
  CHECK(ints(native_level(t, 2).pos, 4) == std::vector<std::int32_t>{0, 2, 3, 4});
  CHECK(ints(native_level(t, 2).crd, 4) == std::vector<std::int32_t>{0, 3, 2, 1});
  CHECK(values_of<double>(t) == std::vector<double>{1, 2, 3, 4});
}

TEST_CASE("COO and CSC arrays", "[levels]") {
  const Tensor d = Tensor::from<double>({2, 3}, {0, 1, 0, 2, 0, 3});
  const Tensor c = d.to_sparse(coo());
  CHECK(c.desc().nodes == Extents{3, 3});
  CHECK(ints(native_level(c, 0).pos, 2) == std::vector<std::int32_t>{0, 3});
  CHECK(ints(native_level(c, 0).crd, 3) == std::vector<std::int32_t>{0, 1, 1});
  CHECK(ints(native_level(c, 1).crd, 3) == std::vector<std::int32_t>{1, 0, 2});
  const Tensor s = c.to_sparse(csc());
  CHECK(ints(native_level(s, 1).pos, 4) == std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK(ints(native_level(s, 1).crd, 3) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(values_of<double>(s) == std::vector<double>{2, 1, 3});
}

TEST_CASE("every level format and mode order goes to dense and back", "[levels]") {
  std::mt19937 random(7);
  for (const Extents& extents : {Extents{5}, Extents{4, 3}, Extents{3, 4, 2}, Extents{1, 3, 1}, Extents{2, 0, 3}}) {
    const auto formats = all_formats(static_cast<int>(extents.size()));
    for (const double density : {0.0, 0.3, 1.0}) {
      for (const Semiring semiring : {Semiring::plus_times, Semiring::min_plus}) {
        const double missing = semiring == Semiring::min_plus ? std::numeric_limits<double>::infinity() : 0;
        const Tensor dense = random_dense(random, extents, density, missing);
        const auto want = values_of<double>(dense);
        for (const Format& format : formats) {
          INFO(to_string(format));
          const Tensor sparse = dense.to_sparse(format, semiring);
          REQUIRE(sparse.desc().format == format);
          REQUIRE(values_of<double>(sparse.to_dense(semiring)) == want);
          const Tensor other = sparse.to_sparse(formats[random() % formats.size()], semiring);
          REQUIRE(values_of<double>(other.to_dense(semiring)) == want);
        }
      }
    }
  }
}

TEST_CASE("large tensors keep their coordinates through other formats", "[levels]") {
  std::mt19937 random(3);
  const Tensor dense = random_dense(random, {70, 60, 50}, 0.4, 0);
  const auto want = values_of<double>(dense);
  for (const char* text : {"csf", "coo:2,0,1", "dcc:1,2,0", "nsc", "ccd", "cdc", "dns"}) {
    INFO(text);
    CHECK(values_of<double>(dense.to_sparse(parse_format(text, 3)).to_dense()) == want);
  }
}

TEST_CASE("explicit zeros are kept, fill is not", "[levels]") {
  const Tensor t = Tensor::coo({3, 4}, 2, std::vector<std::int32_t>{0, 1, 2, 2}, std::vector<double>{0, 5});
  CHECK(t.nnz() == 2);
  CHECK(t.to_sparse(coo()).nnz() == 2);
  const Tensor filled = t.to_sparse(parse_format("cd", 2));
  CHECK(filled.nnz() == 8);
  CHECK(filled.to_sparse().nnz() == 1);
}

TEST_CASE("64-bit indices where an extent needs them", "[levels]") {
  const std::int64_t big = std::int64_t{1} << 33;
  const Tensor t = Tensor::coo({big, 10}, 2, std::vector<std::int64_t>{big - 1, 9, 0, 3}, std::vector<double>{2, 1});
  CHECK(t.desc().wide);
  CHECK(static_cast<const std::int64_t*>(native_level(t, 0).crd)[1] == big - 1);
  CHECK(t.coordinates() == Extents{0, 3, big - 1, 9});
}

TEST_CASE("a dense level that cannot be stored is an error", "[levels]") {
  const std::int64_t big = std::int64_t{1} << 50;
  const auto build = [&] {
    Tensor::coo({big, big}, 1, std::vector<std::int64_t>{1, 1}, std::vector<double>{1}, parse_format("dd", 2));
  };
  CHECK(message_of(build) ==
        "the number of stored positions: 1125899906842624 x 1125899906842624 does not fit 64 bits");
  CHECK_THROWS_AS(Tensor::coo({big}, 1, std::vector<std::int64_t>{1}, std::vector<double>{1}, parse_format("d", 1)),
                  Error);
  CHECK(message_of([] {
          Tensor::from<double>({1, 1}, {1}).to_sparse(Format{{Level::compressed, Level::singleton}, {}});
        }) == "level 1 is singleton, which must follow a nonunique or singleton level");
}
