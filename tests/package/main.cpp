#include <einloom/einloom.h>

#include <cstdio>

int main() {
  einloom::Context context;
  const auto a = einloom::Tensor::from<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto c = context.einsum("ij,kj->ik", {a, a});
  std::printf("%g\n", c.sum());
  return c.sum() == 155 ? 0 : 1;
}
