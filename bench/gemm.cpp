// Dense contractions against OpenBLAS in one process: rates of both and their ratio.
//
//   OPENBLAS_CORETYPE=SkylakeX build/release/bin/bench_gemm [THREADS...]
//
// Every expression is compared with a matrix product of as many rows, columns and summed elements on plain row-major
// matrices. The better of several runs counts, taken in turn so that both see the same machine. "einsum" makes its
// result anew each time, "into" writes it where the last one was, as the library does.
#include <cblas.h>
#include <einloom/einloom.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace el = einloom;

namespace {

struct Case {
  std::string expression;
  std::vector<std::int64_t> a, b, c;
  int m, n, k;  // of the equal matrix product
};

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void product(int m, int n, int k, const float* a, const float* b, float* c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}
void product(int m, int n, int k, const double* a, const double* b, double* c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n);
}

std::string spec(const std::vector<std::int64_t>& extents, int seed) {
  std::string text = "dense:";
  for (std::size_t i = 0; i < extents.size(); ++i) text += fmt::format("{}{}", i ? "x" : "", extents[i]);
  return text + fmt::format(":seed={}", seed);
}

template <class T>
void compare(const Case& c, el::Context& ctx) {
  constexpr el::DType type = el::dtype_of<T>::value;
  const el::Tensor a = el::generate_data(spec(c.a, 1), type).at(0), b = el::generate_data(spec(c.b, 2), type).at(0);
  el::Tensor out = el::Tensor::zeros(type, c.c);
  std::vector<T> result(static_cast<std::size_t>(c.m) * static_cast<std::size_t>(c.n));
  const double flops = 2.0 * c.m * c.n * c.k;
  const int repeats = static_cast<int>(std::clamp(3e11 / flops / 4, 5.0, 2000.0));
  double einsum = std::numeric_limits<double>::infinity(), into = einsum, blas = einsum;
  for (int i = 0; i <= repeats; ++i) {
    const double t0 = seconds([&] { ctx.einsum(c.expression, {a, b}); });
    const double t1 = seconds([&] { ctx.einsum_into(out, c.expression, {a, b}); });
    const double t2 = seconds([&] { product(c.m, c.n, c.k, a.data<T>(), b.data<T>(), result.data()); });
    if (i == 0) continue;  // the first one compiles
    einsum = std::min(einsum, t0), into = std::min(into, t1), blas = std::min(blas, t2);
  }
  std::string check = "-";
  if (c.expression == "ij,jk->ik") {
    const T* ours = out.data<T>();
    double worst = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
      worst = std::max(worst, std::abs(double(ours[i]) - double(result[i])));
    check = fmt::format("{:.1e}", worst);
  }
  fmt::print("| {} | `{}` | {}x{}x{} | {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {} |\n", el::name(type),
             c.expression, c.m, c.n, c.k, ctx.threads(), flops / einsum * 1e-9, flops / into * 1e-9,
             flops / blas * 1e-9, blas / einsum, blas / into, check);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> threads;
  for (int i = 1; i < argc; ++i) threads.push_back(std::max(1, std::atoi(argv[i])));
  if (threads.empty()) threads = {1, 2};
  const Case cases[] = {{"ij,jk->ik", {1024, 1024}, {1024, 1024}, {1024, 1024}, 1024, 1024, 1024},
                        {"ij,jk->ik", {2048, 2048}, {2048, 2048}, {2048, 2048}, 2048, 2048, 2048},
                        {"ij,jk->ik", {256, 256}, {256, 256}, {256, 256}, 256, 256, 256},
                        {"ij,jk->ik", {64, 64}, {64, 64}, {64, 64}, 64, 64, 64},
                        {"ji,kj->ik", {1024, 1024}, {1024, 1024}, {1024, 1024}, 1024, 1024, 1024},
                        {"abc,bda->dc", {32, 32, 1024}, {32, 1024, 32}, {1024, 1024}, 1024, 1024, 1024},
                        {"akbl,lckd->abcd", {32, 32, 32, 32}, {32, 32, 32, 32}, {32, 32, 32, 32}, 1024, 1024, 1024},
                        {"akbl,lckd->dbca", {32, 32, 32, 32}, {32, 32, 32, 32}, {32, 32, 32, 32}, 1024, 1024, 1024}};
  try {
    fmt::print("OpenBLAS kernel: {}\n\n", openblas_get_corename());
    fmt::print(
        "| type | expression | m x n x k | threads | einsum GFLOP/s | into GFLOP/s | OpenBLAS GFLOP/s | einsum ratio | "
        "into ratio | "
        "largest difference |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (int count : threads) {
      el::Context ctx(el::Context::Config{count});
      openblas_set_num_threads(count);
      for (const Case& c : cases) {
        compare<float>(c, ctx);
        compare<double>(c, ctx);
      }
    }
  } catch (const el::Error& error) {
    fmt::print(stderr, "bench_gemm: {}\n", error.what());
    return 1;
  }
  return 0;
}
