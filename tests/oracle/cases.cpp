// Inputs on which einsum systems have failed, dense operands: wrong values, crashes, refusals and precision.
#include <cmath>

#include "tests/oracle/case_support.h"

namespace einloom::test {

namespace {

Tensor vec(std::vector<double> values) {
  const auto extent = static_cast<std::int64_t>(values.size());
  return Tensor::from<double>({extent}, values);
}

Tensor halves(std::vector<double> values) { return vec(std::move(values)).to_dtype(DType::f16); }

}  // namespace

TEST_CASE("an extent of 1 stretches over a named label only when asked") {
  Options stretch;
  stretch.broadcast = true;
  CHECK(shared_context().einsum("i,i", {vec({2, 3}), vec({4})}, stretch).item<double>() == 20);
  check("i,i", {vec({2, 3}), vec({4})}, stretch);
  check("ij,i->ij", {arange<double>({3, 2}), vec({5})}, stretch);
  check("ij,jk->ik", {arange<double>({3, 1}), arange<double>({4, 2})}, stretch);
  check("ij,ij,ij->j", {arange<double>({1, 4}), arange<double>({3, 1}), arange<double>({3, 4})}, stretch);

  const Error error = error_of([] { shared_context().einsum("i,i", {vec({2, 3}), vec({4})}); });
  CHECK(error.kind() == Error::Kind::input);
  CHECK(has(error.message(), "label i is 2 in operand 0 and 1 in operand 1"));
  CHECK(error.position() == 2);
}

TEST_CASE("a stretched label beside an ellipsis") {
  Options stretch;
  stretch.broadcast = true;
  const Tensor ones = filled<double>({10, 2}, 1), row = filled<double>({1, 2}, 1);
  check("t...i,ti->t...", {ones, row}, stretch);
  const Tensor got = shared_context().einsum("t...i,ti->t...", {ones, row}, stretch);
  CHECK(got.extents() == Ints{10});
  CHECK(got.sum() == 20);
}

TEST_CASE("extents that differ name label, operands and sizes, with a caret") {
  const Error error = error_of([] { shared_context().einsum("ij,i->", {filled<double>({5, 1}, 1), vec({1, 2})}); });
  CHECK(has(error.message(), "label i is 5 in operand 0 and 2 in operand 1"));
  CHECK(error.text() == "ij,i->");
  CHECK(error.position() == 3);
  CHECK(has(error.what(), "\n  ij,i->\n     ^"));
}

TEST_CASE("a label of the output that no operand has is an error") {
  const Error error = error_of([] {
    shared_context().einsum("ijk,jk->ijl", {filled<double>({10, 20, 30}, 1), filled<double>({20, 30}, 1)});
  });
  CHECK(error.kind() == Error::Kind::input);
  CHECK(has(error.message(), "l"));
  CHECK(error.position() == 10);
}

TEST_CASE("half precision is summed in single precision") {
  const Tensor eye = Tensor::from<double>({2, 2}, {1, 0, 0, 1}).to_dtype(DType::f16);
  const Tensor got = shared_context().einsum("i,ji->", {halves({1, 1}), eye});
  CHECK(got.dtype() == DType::f16);
  CHECK(to_float(got.item<f16>()) == 2);

  const Tensor pair = halves({1.764, 0.4001});
  CHECK(std::abs(to_float(shared_context().einsum("i,i->", {pair, pair}).item<f16>()) - 3.271) < 0.002);
  check("i,i->", {pair, pair}, {}, false);

  const Tensor ones = filled<double>({2100}, 1).to_dtype(DType::f16);
  CHECK(std::abs(to_float(shared_context().einsum("i->", {ones}).item<f16>()) - 2100) <= 1);
  Random random(5);
  std::vector<double> uniform(10000);
  for (double& x : uniform) x = static_cast<double>(random() % 1000000) * 1e-6;
  const Tensor many = vec(uniform).to_dtype(DType::bf16);
  CHECK(std::abs(to_float(shared_context().einsum("i->", {many}).item<bf16>()) - 5000) < 150);
  check("i->", {many}, {}, false);
}

TEST_CASE("single precision is exact to rounding") {
  const Tensor v = Tensor::from<float>({2}, {0.0F, 3.14F});
  const Tensor eye = Tensor::from<float>({2, 2}, {1, 0, 0, 1});
  CHECK(std::abs(shared_context().einsum("i,ij,j->", {v, eye, v}).item<float>() - 9.8596F) < 1e-5F);
}

TEST_CASE("a strided output of a wider type") {
  const Tensor ones = filled<float>({2, 2}, 1);
  std::vector<double> block(8, -7);
  Tensor out = Tensor::view(block.data(), {2, 2}, Ints{4, 2});
  shared_context().einsum_into(out, "ij,jk->ik", {ones, ones});
  CHECK(block == std::vector<double>{2, -7, 2, -7, 2, -7, 2, -7});
}

TEST_CASE("a 0-D output on every path") {
  for (const char* path : {"auto", "optimal", "greedy", "(0,1)"}) {
    double cell = -1;
    Tensor out = Tensor::view(&cell, {});
    Options options;
    options.path = path;
    shared_context().einsum_into(out, "i,i->", {vec({1, 2}), vec({3, 4})}, options);
    CHECK(cell == 11);
  }
}

TEST_CASE("0-D operands") {
  CHECK(shared_context().einsum(",->", {Tensor::scalar(3), Tensor::scalar(4)}).item<double>() == 12);
  check(",ij->ji", {Tensor::scalar(3), arange<double>({2, 3})});
  check(",,", {Tensor::scalar(3), Tensor::scalar(4), Tensor::scalar(5)});
  CHECK(shared_context().einsum("->", {Tensor::scalar(3)}).item<double>() == 3);
}

TEST_CASE("an ellipsis that is not in the output is summed") {
  const Tensor cube = arange<std::int64_t>({3, 3, 3});
  check("i...->i", {cube});
  check("...->", {cube});
  check("i...,...i->i", {cube, cube});
  check("...i,i->...", {cube, arange<std::int64_t>({3})});
}

TEST_CASE("ellipses of different width are aligned at the right") {
  check("...ij,...jk->...ik", {arange<double>({2, 1, 3, 4}), arange<double>({5, 4, 2})});
  check("a...,...a->...", {arange<double>({2, 3, 4}), arange<double>({4, 2})});
  check("...,...", {arange<double>({2, 3}), arange<double>({3})});
}

TEST_CASE("label ids of the interleaved form") {
  const Tensor a = arange<double>({2, 3}), b = arange<double>({3, 4}), c = arange<double>({4, 2});
  const Tensor want = shared_context().einsum("ij,jk,kl->il", {a, b, c});
  const Tensor got = shared_context().einsum({{a, {20, 27}}, {b, {27, 51}}, {c, {51, 1000}}}, {20, 1000});
  CHECK(identical(got, want));
  const Error error = error_of([&] { shared_context().einsum({{a, {0, -3}}}, {0}); });
  CHECK(error.kind() == Error::Kind::input);
  CHECK(has(error.message(), "-3"));
}

TEST_CASE("diagonals of operands and of the output") {
  CHECK(shared_context().einsum("bbcdc->d", {arange<double>({1, 1, 3, 1, 3})}).item<double>() == 12);
  check("bbcdc->d", {arange<double>({1, 1, 3, 1, 3})});
  check("aab->b", {arange<double>({2, 2, 2})});
  check("aab,b->b", {arange<double>({2, 2, 2}), arange<double>({2})});
  check("aab,bc,c->b", {arange<double>({2, 2, 2}), arange<double>({2, 3}), arange<double>({3})});
  check("iii->i", {arange<double>({4, 4, 4})});
  check("ii->", {arange<double>({4, 4})});
  const Tensor x = arange<double>({5, 5, 5, 5});
  std::vector<double> memory(25, -1);
  Tensor out = Tensor::view(memory.data(), {5, 5});
  shared_context().einsum_into(out, "aabb->ab", {x});
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = 0; b < 5; ++b) CHECK(memory[a * 5 + b] == static_cast<double>(a * 150 + b * 6));
  }
  Options diagonal;
  diagonal.write_diagonal = true;
  check("i->ii", {arange<double>({3})}, diagonal);
  check("ij,j->ijj", {arange<double>({2, 3}), arange<double>({3})}, diagonal);
  const Error error = error_of([] { shared_context().einsum("i->ii", {arange<double>({3})}); });
  CHECK(error.kind() == Error::Kind::input);
  CHECK(has(error.message(), "label i"));
}

TEST_CASE("extents of 0") {
  CHECK(shared_context().einsum("ij,j", {filled<double>({0, 3}, 1), vec({1, 2, 3})}).extents() == Ints{0});
  CHECK(shared_context().einsum("abc,a,b->c", {filled<double>({1, 1, 0}, 1), vec({1}), vec({1})}).extents() == Ints{0});
  check("ij,jk->ik", {filled<double>({3, 0}, 1), filled<double>({0, 2}, 1)});
  check("i,i->", {filled<double>({0}, 1), filled<double>({0}, 1)});
  check("abc,cd,de,eba->", {filled<double>({2000, 2000, 0}, 1), filled<double>({0, 0}, 1), filled<double>({0, 0}, 1),
                            filled<double>({0, 2000, 2000}, 1)});
  std::vector<double> cells{5, 6};
  Tensor out = Tensor::view(cells.data(), {2});
  Options add;
  add.beta = 2;
  shared_context().einsum_into(out, "ij,j->i", {filled<double>({2, 0}, 1), filled<double>({0}, 1)}, add);
  CHECK(cells == std::vector<double>{10, 12});
}

TEST_CASE("overlapping views are fine as operands") {
  std::vector<double> six{1, 2, 3, 4, 5, 6};
  const Tensor view = Tensor::view(six.data(), {2, 2, 2}, Ints{3, 1, 1});
  check("...ab,...bc->...ac", {view, view});
  check("...ab,...bc->...ac", {view, arange<double>({2, 2, 2})});
}

TEST_CASE("an output that held NaN is not read when beta is 0") {
  std::vector<double> cells(3, std::nan(""));
  Tensor out = Tensor::view(cells.data(), {3});
  shared_context().einsum_into(out, "ij->j", {Tensor::from<double>({2, 3}, {1, 2, 3, 4, 5, 6})});
  CHECK(cells == std::vector<double>{5, 7, 9});
}

TEST_CASE("operands whose base is not aligned to a vector") {
  Random random(11);
  for (int shift = 0; shift < 4; ++shift) {
    for (const std::int64_t n : {3, 8, 17, 40}) {
      std::vector<float> a(static_cast<std::size_t>(n * n + shift + 4), 1), b = a;
      for (float& x : a) x = static_cast<float>(draw(random, -4, 4));
      for (float& x : b) x = static_cast<float>(draw(random, -4, 4));
      const Tensor left = Tensor::view(a.data() + shift, {n, n}), right = Tensor::view(b.data() + 3 - shift, {n, n});
      const Tensor got = shared_context().einsum("ij,jk->ik", {left, right});
      CHECK(against_oracle("ij,jk->ik", {left, right}, {}, got) == "");
    }
  }
  std::vector<char> bytes(64, 0);
  const Error error = error_of([&] { Tensor::view_raw(DType::f64, bytes.data() + 1, {2}); });
  CHECK(error.kind() == Error::Kind::input);
}

TEST_CASE("complex products") {
  using Complex = std::complex<double>;
  const Tensor a = Tensor::from<Complex>({2, 3}, {{1, 2}, {0, -1}, {3, 0}, {2, 2}, {-1, 1}, {0, 4}});
  const Tensor b = Tensor::from<Complex>({3, 2}, {{0, 1}, {1, 1}, {2, -2}, {5, 0}, {1, 3}, {-2, 1}});
  check("ab,ba->", {a, b});
  check("ab,bc->ac", {a, b});
  check("ab,bc->ca", {a.to_dtype(DType::c64), b.to_dtype(DType::c64)}, {}, false);
  check("ab,ba->", {a, arange<double>({3, 2})});
}

TEST_CASE("every element type, alone and mixed, promotes as NumPy does") {
  const DType types[] = {DType::boolean, DType::i32, DType::i64, DType::f16, DType::bf16,
                         DType::f32,     DType::f64, DType::c64, DType::c128};
  for (const DType x : types) {
    for (const DType y : types) {
      Random random(3);
      const Tensor a = random_dense(random, {3, 4}, x), b = random_dense(random, {4, 2}, y);
      INFO(name(x) << " and " << name(y));
      const Tensor got = shared_context().einsum("ij,jk->ki", {a, b});
      CHECK(got.dtype() == promote(x, y));
      CHECK(against_oracle("ij,jk->ki", {a, b}, {}, got) == "");
    }
  }
}

}  // namespace einloom::test
