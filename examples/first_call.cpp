// One call: a product of two matrices, then the same with a sparse one, then what was generated for it.
#include <einloom/einloom.h>

#include <cstdio>

int main() {
  namespace el = einloom;
  try {
    el::Context ctx;
    const auto A = el::Tensor::from<double>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto B = el::Tensor::from<double>({3, 2}, {1, 0, 0, 1, 1, 1});
    const auto C = ctx.einsum("ij,jk->ik", {A, B});
    const double* const c = C.data<double>();
    std::printf("%g %g\n%g %g\n", c[0], c[1], c[2], c[3]);

    const auto S = A.to_sparse();
    const el::Program program = ctx.compile("ij,jk->ik", {S.desc(), B.desc()}, {.out_format = el::Layout::csf});
    std::printf("sum of the sparse product: %g\n\n%s", program.run({S, B}).sum(), program.explain().c_str());
  } catch (const el::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
