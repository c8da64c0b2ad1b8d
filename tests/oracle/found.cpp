// Faults found by using the library, each as its kind.
#include <cmath>
#include <limits>

#include "tests/oracle/case_support.h"

namespace einloom::test {

namespace {

const double infinity = std::numeric_limits<double>::infinity();

Options under(Semiring semiring) {
  Options options;
  options.semiring = semiring;
  return options;
}

template <class F>
Error::Kind kind_of(const F& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.kind();
  }
  return Error::Kind::internal;
}

}  // namespace

TEST_CASE("rows of a sparse result are combined while it grows, without losing any") {
  // 10.8 million products on one thread for 3,600 coordinates too far apart for a dense workspace.
  constexpr std::int64_t rows = 3000, columns = 60, apart = 20000000;
  std::vector<std::int64_t> coordinates;
  for (std::int64_t k = 0; k < rows; ++k)
    for (std::int64_t i = 0; i < columns; ++i) coordinates.insert(coordinates.end(), {k, i * apart});
  const std::vector<double> ones(static_cast<std::size_t>(rows * columns), 1.0);
  const Tensor a = Tensor::coo({rows, columns * apart}, rows * columns, coordinates, ones);
  Context one(Context::Config{.threads = 1});
  for (const Layout layout : {Layout::coo, Layout::csf}) {
    Options options;
    options.out_format = layout;
    const Tensor got = one.einsum("ki,kj->ij", {a, a}, options);
    CHECK(got.nnz() == columns * columns);
    CHECK(got.sum() == static_cast<double>(rows * columns * columns));
    CHECK(got.norm() == static_cast<double>(rows) * columns);
  }
}

TEST_CASE("the identity absorbs, stored or left out, in floats as in integers") {
  for (const auto& [semiring, none] : {std::pair{Semiring::max_plus, -infinity}, {Semiring::min_plus, infinity}}) {
    const Tensor a = Tensor::from<double>({2}, {none, 1}), b = Tensor::from<double>({2}, {-none, 2});
    CHECK(shared_context().einsum("i,i->i", {a, b}, under(semiring)).data<double>()[0] == none);
    const double dense = shared_context().einsum("i,i->", {a, b}, under(semiring)).item<double>();
    CHECK(shared_context().einsum("i,i->", {a.to_sparse(csf(), semiring), b}, under(semiring)).item<double>() == dense);
    CHECK(dense == 3);
  }
}

TEST_CASE("an integer identity stays the identity beside a wider or a floating type") {
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const Tensor a = Tensor::from<std::int32_t>({2}, {most, most});
  const Tensor b = Tensor::from<double>({2}, {1, 2}), c = Tensor::from<std::int64_t>({2}, {1, 2});
  CHECK(shared_context().einsum("i,i->", {a, b}, under(Semiring::min_plus)).item<double>() == infinity);
  CHECK(shared_context().einsum("i,i->", {a, c}, under(Semiring::min_plus)).item<std::int64_t>() ==
        std::numeric_limits<std::int64_t>::max());
  const std::vector<std::int64_t> at{0, 1};
  const std::vector<std::int32_t> one{5};
  const Tensor s = Tensor::coo({2, 3}, 1, at, one, {{Level::compressed, Level::dense}, {}}, Semiring::min_plus);
  const Tensor got = shared_context().einsum("ij,i->ij", {s, b}, under(Semiring::min_plus));
  CHECK(got.data<double>()[0] == infinity);
  CHECK(got.data<double>()[1] == 6);
}

TEST_CASE("a moved-from tensor and a read-only view are refused") {
  Tensor a = Tensor::scalar(1);
  const Tensor b = std::move(a);
  CHECK(kind_of([&] { shared_context().einsum("->", {a}); }) ==
        Error::Kind::input);  // NOLINT: its state is the subject
  CHECK(kind_of([&] { (void)a.order(); }) == Error::Kind::input);
  const double values[2] = {1, 2};
  Tensor view = Tensor::view(values, {2});
  CHECK(kind_of([&] { view.mutable_data<double>()[0] = 3; }) == Error::Kind::input);
  CHECK(values[0] == 1);
}

TEST_CASE("alpha and beta must be numbers the result can hold") {
  const Tensor a = Tensor::from<std::int32_t>({3}, {1, 1, 1});
  for (const double alpha : {4294967297.0, 1e30, -1e30, 0.5, std::nan(""), infinity}) {
    Options options;
    options.alpha = alpha;
    CHECK(kind_of([&] { shared_context().einsum("i->", {a}, options); }) == Error::Kind::input);
  }
  Options options;
  options.alpha = -2147483648.0;
  CHECK(shared_context().einsum("i->i", {a}, options).data<std::int32_t>()[0] ==
        std::numeric_limits<std::int32_t>::min());
}

TEST_CASE("bools count in a wider output, as they do in a wider type asked for") {
  const Tensor four = Tensor::from<bool>({4}, {true, true, true, true});
  Tensor out = Tensor::zeros(DType::i64, {});
  shared_context().einsum_into(out, "i->", {four});
  CHECK(out.item<std::int64_t>() == 4);
  shared_context().einsum_into(out, "i->", {four}, under(Semiring::or_and));
  CHECK(out.item<std::int64_t>() == 1);
}

TEST_CASE("a sparse result holds no coordinate that only a dense intermediate knows of") {
  // Labels private to each operand are summed first, into dense temporaries.
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    const std::vector<Tensor> operands{random_sparse(random, {3, 2}, 0.2), random_sparse(random, {5, 4, 7}, 0.1)};
    for (const Layout layout : {Layout::coo, Layout::csf}) {
      Options options;
      options.out_format = layout;
      const Tensor got = shared_context().einsum("ac,bde->ade", Operands(operands), options);
      CHECK(against_oracle("ac,bde->ade", operands, {}, got) == "");
    }
  }
}

}  // namespace einloom::test
