// Files bound to operands, and operands described without data.
#include "tests/support/catch.h"
#include "tools/operands.h"

using namespace einloom;
using namespace einloom::tools;

using Files = std::vector<std::string>;

TEST_CASE("an einsum string takes a file an operand") {
  CHECK(bind_files(parse("ij,jk->ik"), {"a", "b"}) == Files{"a", "b"});
  CHECK(bind_files(parse("ij,jk->ik"), {"a", "x=b"}) == Files{"a", "x=b"});
  CHECK_THROWS_AS(bind_files(parse("ij,jk->ik"), {"a"}), Error);
  CHECK_THROWS_AS(bind_files(parse("ij,jk->ik"), {"a", "b", "c"}), Error);
}

TEST_CASE("index notation takes a file a name") {
  const Expr expr = parse("C[i,l] = A[i,j] * B[j,k] * A[k,l]");
  CHECK(bind_files(expr, {"x", "y"}) == Files{"x", "y"});
  CHECK(bind_files(expr, {"B=x", "y"}) == Files{"y", "x"});
  CHECK(bind_files(expr, {"B=x", "A=y"}) == Files{"y", "x"});
  CHECK_THROWS_AS(bind_files(expr, {"x"}), Error);
  CHECK_THROWS_AS(bind_files(expr, {"A=x", "A=y"}), Error);
  CHECK_THROWS_AS(bind_files(expr, {"Z=x"}), Error);
}

TEST_CASE("operands are described by shapes, counts and formats") {
  CallOptions call;
  call.format = "csf,-";
  call.dtype = "f32";
  const auto descs = describe_operands(parse("ij,jk->ik"), "50x40,40x30", "100,-", call);
  REQUIRE(descs.size() == 2);
  CHECK(descs[0].sparse);
  CHECK(descs[0].nnz() == 100);
  CHECK(descs[0].dtype == DType::f32);
  CHECK(!descs[1].sparse);
  CHECK(descs[1].extents == std::vector<std::int64_t>{40, 30});
  CHECK_THROWS_AS(describe_operands(parse("ij,jk->ik"), "50x40", "", {}), Error);
  CHECK_THROWS_AS(describe_operands(parse("ij"), "-", "", {}), Error);
  call.format = "csf";
  CHECK_THROWS_AS(describe_operands(parse("ij"), "5x5", "", call), Error);
}

TEST_CASE("results fit the file they go to") {
  const Tensor dense = Tensor::from<double>({2, 2}, {1, 0, 0, 2});
  CHECK(!fit_file("x.npy", dense, Semiring::plus_times).sparse());
  for (const char* file : {"x.tns", "x.mtx", "x.csv", "x.npz", "x.tns.gz"}) {
    const Tensor sparse = fit_file(file, dense, Semiring::plus_times);
    CHECK(sparse.sparse());
    CHECK(sparse.nnz() == 2);
  }
  CHECK(!fit_file("x.npy", dense.to_sparse(), Semiring::plus_times).sparse());
}
