// Inputs on which einsum systems have failed, sparse operands.
#include <algorithm>

#include "tests/oracle/case_support.h"

namespace einloom::test {

namespace {

Options into(Layout layout) {
  Options options;
  options.out_format = layout;
  return options;
}

// Dense, CSF and COO results of one expression against the oracle.
void check_layouts(const std::string& text, const std::vector<Tensor>& operands) {
  for (const Layout layout : {Layout::dense, Layout::csf, Layout::coo}) {
    INFO(text << " to " << name(layout));
    const Tensor got = shared_context().einsum(text, Operands(operands), into(layout));
    CHECK(against_oracle(text, operands, {}, got) == "");
  }
}

}  // namespace

TEST_CASE("a reduction outside an appended level gives each coordinate once") {
  for (int seed = 0; seed < 12; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    for (const double density : {0.05, 0.15}) {
      check_layouts("ijk,ilm->jklm",
                    {random_sparse(random, {4, 5, 3}, density), random_sparse(random, {4, 3, 5}, density)});
      check_layouts("qrp,rc->qcp", {random_sparse(random, {5, 6, 4}, density), random_sparse(random, {6, 5}, density)});
      check_layouts("ki,kj->ij", {random_sparse(random, {9, 8}, density), random_sparse(random, {9, 7}, density)});
    }
  }
}

TEST_CASE("diagonals and transposed partners of sparse operands") {
  Random random(31);
  for (const Format& format : {csf(), coo(), csr(), csc(), csf({1, 0})}) {
    const Tensor a = random_sparse(random, {9, 9}, 0.3, format), b = random_sparse(random, {9, 9}, 0.3, csf());
    check_layouts("ii->i", {a});
    check_layouts("ij,ji->ij", {a, b});
    check_layouts("ij,ji->ij", {a, a});
    check_layouts("ij->ji", {a});
    CHECK(against_oracle("ii->", {a}, {}, shared_context().einsum("ii->", {a})) == "");
  }
  check_layouts("iji->j", {random_sparse(random, {5, 6, 5}, 0.3)});
  check_layouts("iij,jj->ij", {random_sparse(random, {5, 5, 6}, 0.3), random_sparse(random, {6, 6}, 0.3)});
}

TEST_CASE("products that mix summed, shared and private labels") {
  Random random(37);
  check_layouts("ab,a->a", {random_sparse(random, {6, 7}, 0.3), random_sparse(random, {6}, 0.5)});
  check_layouts("ikd,jkd->ijd", {random_sparse(random, {4, 5, 6}, 0.3), random_sparse(random, {3, 5, 6}, 0.3)});
  check_layouts("nm,in,jm,pn,qm->ijpq", {random_sparse(random, {4, 5}, 0.5), random_sparse(random, {3, 4}, 0.5),
                                         random_sparse(random, {4, 5}, 0.5), random_sparse(random, {2, 4}, 0.6),
                                         random_sparse(random, {3, 5}, 0.5)});
  check_layouts("ij,jk,ki->ij", {random_sparse(random, {8, 8}, 0.3), random_sparse(random, {8, 8}, 0.3),
                                 random_sparse(random, {8, 8}, 0.3)});
}

TEST_CASE("a nearly full matrix contracted with itself takes memory about its output") {
  Random random(41);
  const Tensor a = random_sparse(random, {64, 256}, 0.98, coo());
  check_layouts("ij,kj->ik", {a, a});
  const TensorDesc desc = sparse_desc(DType::f64, {256, 1024}, 256 * 1020);
  const Program program = shared_context().compile("ij,kj->ik", {desc, desc});
  CHECK(program.stats().peak_bytes <= 64 * 1024 * 1024);
}

TEST_CASE("more than 2^31 products") {
  const std::int64_t n = 50000;
  std::vector<std::int64_t> coords;
  for (std::int64_t i = 0; i < n; ++i) coords.insert(coords.end(), {i, 0});
  for (std::int64_t j = 1; j < n; ++j) coords.insert(coords.end(), {0, j});
  const std::vector<double> ones(static_cast<std::size_t>(2 * n - 1), 1);
  const Tensor a = Tensor::coo({n, n}, 2 * n - 1, coords, ones);
  const Tensor rows = shared_context().einsum("ij,jk->i", {a, a});
  CHECK(rows.data<double>()[0] == static_cast<double>(2 * n - 1));
  CHECK(rows.data<double>()[1] == static_cast<double>(n));
  CHECK(shared_context().einsum("ij,jk->", {a, a}).item<double>() == static_cast<double>(n * n + n - 1));
}

TEST_CASE("sparse times sparse at thirty per cent") {
  Random random(43);
  const Tensor a = random_sparse(random, {1000, 1000}, 0.3), b = random_sparse(random, {1000, 1000}, 0.3);
  const Tensor want = shared_context().einsum("ij,jk->ik", {a.to_dense(), b.to_dense()});
  for (const Layout layout : {Layout::dense, Layout::csf}) {
    const Tensor got = shared_context().einsum("ij,jk->ik", {a, b}, into(layout));
    CHECK(identical(got.to_dense(), want));
  }
}

TEST_CASE("repeated, unsorted, zero, no and single coordinates") {
  const std::vector<std::int64_t> coords{2, 1, 0, 3, 2, 1, 0, 0, 2, 1};
  const std::vector<double> values{1, 2, 4, 0, 8};
  for (const Format& format : {csf(), coo(), csr(), csf({1, 0})}) {
    const Tensor s = Tensor::coo({3, 4}, 5, coords, values, format);
    const Array array = read_tensor(s);
    CHECK(array.values[2 * 4 + 1] == 13.0);
    CHECK(array.values[3] == 2.0);
    CHECK(array.present[0] == 1);
    CHECK(std::count(array.present.begin(), array.present.end(), 1) == 3);
    check_layouts("ij,ij->ij", {s, s});
    check_layouts("ij->j", {s});
    const Tensor empty = Tensor::coo({3, 4}, 0, std::vector<std::int64_t>{}, std::vector<double>{}, format);
    CHECK(shared_context().einsum("ij,ij->ij", {s, empty}, into(Layout::csf)).nnz() == 0);
    check_layouts("ij,kj->ik", {s, empty});
    CHECK(shared_context().einsum("ij->", {empty}).item<double>() == 0);
    const Tensor single = Tensor::coo({3, 4}, 1, std::vector<std::int64_t>{2, 1}, std::vector<double>{3}, format);
    check_layouts("ij,kj->ik", {s, single});
    check_layouts("ij,ik->jk", {single, single});
  }
}

TEST_CASE("coordinates out of range are named") {
  const Error error = error_of([] { Tensor::coo({3, 4}, 1, std::vector<std::int64_t>{2, 4}, std::vector<double>{3}); });
  CHECK(error.kind() == Error::Kind::input);
  CHECK(has(error.message(), "4"));
  const Error negative = error_of([] {
    Tensor::coo({3, 4}, 1, std::vector<std::int64_t>{-1, 2}, std::vector<double>{3});
  });
  CHECK(negative.kind() == Error::Kind::input);
}

TEST_CASE("extents that multiply past 2^64 never collide") {
  const Ints extents{1605, 4198, 1631, 4209, 868131};
  Random random(47);
  const std::int64_t count = 200;
  std::vector<std::int64_t> coords;
  std::vector<double> values;
  for (std::int64_t e = 0; e < count; ++e) {
    for (const std::int64_t extent : extents) coords.push_back(e < 2 ? e * (extent - 1) : draw(random, 0, extent - 1));
    values.push_back(static_cast<double>(e + 1));
  }
  for (const Format& format : {csf(), coo(), csf({4, 2, 0, 1, 3})}) {
    const Tensor s = Tensor::coo(extents, count, coords, values, format);
    CHECK(s.nnz() == count);
    CHECK(shared_context().einsum("abcde->", {s}).item<double>() == static_cast<double>(count * (count + 1) / 2));
    const Tensor square = shared_context().einsum("abcde,abcde->abcde", {s, s}, into(Layout::csf));
    CHECK(square.nnz() == count);
    CHECK(square.sum() == static_cast<double>(count * (count + 1) * (2 * count + 1) / 6));
    const std::vector<std::int64_t> back = square.coordinates();
    CHECK(std::equal(back.begin(), back.begin() + 5, std::vector<std::int64_t>(5, 0).begin()));
    const Tensor turned = shared_context().einsum("abcde->ecadb", {s}, into(Layout::csf));
    CHECK(turned.nnz() == count);
    CHECK(turned.sum() == static_cast<double>(count * (count + 1) / 2));
  }
}

}  // namespace einloom::test
