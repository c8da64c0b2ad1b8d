// The lines of the C++ interface as a user writes them: they compile, run and give the right values.
#include <einloom/einloom.h>
#include <einloom/interop.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "tests/support/catch.h"

namespace el = einloom;

namespace {

std::vector<double> list(const el::Tensor& tensor) {
  const double* const x = tensor.data<double>();
  return std::vector<double>(x, x + tensor.nnz());
}

struct Published {
  el::Tensor x, y;
};

Published published() {
  std::vector<el::Tensor> pair = el::generate_data("published:nnz=1000:seed=1:overlap=0.5");
  return {pair.at(0), pair.at(1)};
}

}  // namespace

TEST_CASE("tensors and one call") {
  el::Context ctx;
  std::vector<double> memory(64 * 32, 1), values(32 * 16, 2);
  auto A = el::Tensor::view(memory.data(), {64, 32});
  auto B = el::Tensor::from({32, 16}, values);
  auto C = ctx.einsum("ij,jk->ik", {A, B});
  CHECK(C.extents() == std::vector<std::int64_t>{64, 16});
  CHECK(C.data<double>()[0] == 64);
  CHECK(C.sum() == 64.0 * 64 * 16);

  auto I = ctx.einsum({{A, {0, 1}}, {B, {1, 2}}}, {0, 2});
  CHECK(list(I) == list(C));
  auto R = ctx.einsum("C[i,k] min= A[i,j] + B[j,k]", {A, B});
  CHECK(list(R) == std::vector<double>(64 * 16, 3));
  auto out = el::Tensor::from({64, 16}, std::vector<double>(64 * 16, 1));
  ctx.einsum_into(out, "ij,jk->ik", {A, B}, {.alpha = 1, .beta = 1});
  CHECK(list(out) == std::vector<double>(64 * 16, 65));

  const std::vector<el::Tensor> operands{A, B};
  CHECK(list(ctx.einsum("ij,jk->ik", operands)) == list(C));
  CHECK(list(ctx.einsum("ij,jk->ik", std::span<const el::Tensor>(operands))) == list(C));
}

TEST_CASE("sparse tensors from coordinates, in files and back") {
  el::Context ctx;
  const std::vector<std::int64_t> coords{4, 3, 0, 1, 4, 3};
  const std::vector<double> vals{1, 2, 5};
  auto S = el::Tensor::coo({50, 40}, 3, coords, vals, el::csf());
  CHECK(S.nnz() == 2);
  CHECK(S.coordinates() == std::vector<std::int64_t>{0, 1, 4, 3});
  CHECK(list(S) == std::vector<double>{2, 6});
  CHECK(el::native_level(S, 0).nodes == 2);

  const auto path =
      (std::filesystem::temp_directory_path() / ("einloom_api_" + std::to_string(getpid()) + ".tns")).string();
  el::write(path, S);
  el::ReadOptions shape;
  shape.shape = {50, 40};
  auto T = el::read(path, shape);
  std::filesystem::remove(path);
  CHECK(T.extents() == S.extents());
  CHECK(T.coordinates() == S.coordinates());
  CHECK(ctx.einsum("ij,ij->", {S, T}).item<double>() == 40);
}

TEST_CASE("a compiled program runs again and explains itself") {
  el::Context ctx;
  auto [X, Y] = published();
  el::Program p = ctx.compile("abcde,bdace->abe", {X.desc(), Y.desc()}, {.out_format = el::Layout::csf});
  el::Tensor Z = p.run({X, Y});
  CHECK(Z.sparse());
  CHECK(Z.nnz() > 0);
  const double total = ctx.einsum("abcde,bdace->", {X, Y}).item<double>();
  CHECK(std::abs(Z.sum() - total) <= 1e-12 * total);
  std::puts(p.explain().c_str());
  CHECK(p.explain().size() > 40);
  for (const char* stage : {"expr", "contraction", "path", "plan", "kernel", "stages", "source", "asm"}) {
    INFO(stage);
    CHECK(!p.stage(stage).empty());
  }
  CHECK_THROWS_AS(p.stage("nonsense"), el::Error);
  el::Tensor again;
  p.run({X, Y}, again);
  CHECK(again.coordinates() == Z.coordinates());
  CHECK(list(again) == list(Z));
}

TEST_CASE("names of options and formats") {
  el::Context ctx;
  auto A = el::Tensor::from<double>({2, 2}, {1, 2, 3, 4});
  el::Options options{
      .out_format = el::Layout::coo, .dtype = el::DType::f32, .semiring = el::Semiring::max_plus, .path = "optimal"};
  auto C = ctx.einsum("ij,jk->ik", {A, A}, options);
  CHECK(C.dtype() == el::DType::f32);
  CHECK(C.sparse());
  CHECK(C.to_dense(el::Semiring::max_plus).data<float>()[3] == 8);
  CHECK(A.permute({1, 0}).contiguous().data<double>()[1] == 3);
  CHECK(A.to_sparse(el::csr()).nnz() == 4);
  CHECK(el::Tensor::scalar(3).item<double>() == 3);
  CHECK(el::Tensor::zeros(el::DType::i32, {3}).data<std::int32_t>()[2] == 0);
  CHECK(std::string(el::version()).size() >= 5);
  CHECK(ctx.threads() >= 1);
  CHECK(el::Context({.threads = 1}).threads() == 1);
}
