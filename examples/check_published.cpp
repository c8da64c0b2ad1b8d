// Checks a result of the published sparse problem, abcde,bdace->abe, without any einsum: a hash join over coordinates,
// and for small operands a comparison of every pair of non-zeros.
//
//   check_published A.tns B.tns RESULT.tns [nonempty]
#include <einloom/einloom.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>

namespace {

namespace el = einloom;
using Cell = std::array<std::int64_t, 3>;
using Cells = std::map<Cell, double>;

el::Tensor load(const char* path, std::vector<std::int64_t> shape) {
  el::ReadOptions options;
  options.shape = std::move(shape);
  return el::read(path, options);
}

std::uint64_t key_of(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d, std::int64_t e) {
  return static_cast<std::uint64_t>((((a * 50 + b) * 50 + c) * 20 + d) * 10 + e);
}

Cells hash_join(const std::vector<std::int64_t>& a, const double* x, const std::vector<std::int64_t>& b,
                const double* y, std::size_t& matches) {
  std::unordered_map<std::uint64_t, double> right;
  for (std::size_t i = 0; i < b.size() / 5; ++i) {
    const std::int64_t* const c = &b[i * 5];  // b d a c e
    right[key_of(c[2], c[0], c[3], c[1], c[4])] += y[i];
  }
  Cells cells;
  for (std::size_t i = 0; i < a.size() / 5; ++i) {
    const std::int64_t* const c = &a[i * 5];
    const auto found = right.find(key_of(c[0], c[1], c[2], c[3], c[4]));
    if (found == right.end()) continue;
    cells[{c[0], c[1], c[4]}] += x[i] * found->second;
    ++matches;
  }
  return cells;
}

Cells every_pair(const std::vector<std::int64_t>& a, const double* x, const std::vector<std::int64_t>& b,
                 const double* y) {
  Cells cells;
  for (std::size_t i = 0; i < a.size() / 5; ++i) {
    for (std::size_t j = 0; j < b.size() / 5; ++j) {
      const std::int64_t *const p = &a[i * 5], *const q = &b[j * 5];
      if (p[0] != q[2] || p[1] != q[0] || p[2] != q[3] || p[3] != q[1] || p[4] != q[4]) continue;
      cells[{p[0], p[1], p[4]}] += x[i] * y[j];
    }
  }
  return cells;
}

// Every wanted cell is there once and right; whatever else is stored is zero.
bool same(const Cells& want, const el::Tensor& result, const char* how) {
  const std::vector<std::int64_t> coords = result.coordinates();
  const double* const values = result.data<double>();
  Cells got;
  for (std::size_t i = 0; i < coords.size() / 3; ++i) {
    const Cell cell{coords[i * 3], coords[i * 3 + 1], coords[i * 3 + 2]};
    if (!got.emplace(cell, values[i]).second) {
      std::printf("WRONG: cell %lld %lld %lld is stored twice\n", static_cast<long long>(cell[0]),
                  static_cast<long long>(cell[1]), static_cast<long long>(cell[2]));
      return false;
    }
  }
  for (const auto& [cell, value] : want) got.emplace(cell, 0.0);
  for (const auto& [cell, value] : got) {
    const auto found = want.find(cell);
    const double expected = found == want.end() ? 0.0 : found->second;
    if (std::abs(value - expected) <= 1e-12 * std::abs(expected)) continue;
    std::printf("WRONG: cell %lld %lld %lld is %.17g, the %s gives %.17g\n", static_cast<long long>(cell[0]),
                static_cast<long long>(cell[1]), static_cast<long long>(cell[2]), value, how, expected);
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: check_published A.tns B.tns RESULT.tns [nonempty]\n");
    return 2;
  }
  try {
    const el::Tensor a = load(argv[1], {50, 50, 50, 20, 10}), b = load(argv[2], {50, 20, 50, 50, 10});
    const el::Tensor result = load(argv[3], {50, 50, 10});
    std::size_t matches = 0;
    const auto left = a.coordinates(), right = b.coordinates();
    const Cells want = hash_join(left, a.data<double>(), right, b.data<double>(), matches);
    bool good = same(want, result, "hash join");
    const bool small = a.nnz() <= 1000;
    if (small)
      good =
          good && same(every_pair(left, a.data<double>(), right, b.data<double>()), result, "comparison of all pairs");
    double sum = 0;
    for (const auto& [cell, value] : want) sum += value;
    std::printf("hash join%s: %zu matches, %zu cells, sum %.10g: %s\n", small ? " and all pairs" : "", matches,
                want.size(), sum, good ? "agrees" : "DIFFERS");
    if (argc > 4 && std::strcmp(argv[4], "nonempty") == 0 && want.empty()) {
      std::printf("WRONG: the result is empty\n");
      return 1;
    }
    return good ? 0 : 1;
  } catch (const el::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
