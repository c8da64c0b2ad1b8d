// The published sparse problem at its sizes against a hash join over coordinates, cold and warm.
#include <cmath>
#include <unordered_map>

#include "tests/oracle/case_support.h"

namespace einloom::test {

namespace {

// The result of abcde,bdace->abe as dense cells.
std::vector<double> hash_join(const Tensor& a, const Tensor& b) {
  const std::vector<std::int64_t> left = a.coordinates(), right = b.coordinates();
  std::unordered_map<std::int64_t, double> found;
  for (std::size_t i = 0; i < right.size() / 5; ++i) {
    const std::int64_t* const c = &right[i * 5];  // b d a c e
    found[(((c[2] * 50 + c[0]) * 50 + c[3]) * 20 + c[1]) * 10 + c[4]] += b.data<double>()[i];
  }
  std::vector<double> cells(50 * 50 * 10, 0);
  for (std::size_t i = 0; i < left.size() / 5; ++i) {
    const std::int64_t* const c = &left[i * 5];
    const auto match = found.find((((c[0] * 50 + c[1]) * 50 + c[2]) * 20 + c[3]) * 10 + c[4]);
    if (match != found.end())
      cells[static_cast<std::size_t>((c[0] * 50 + c[1]) * 10 + c[4])] += a.data<double>()[i] * match->second;
  }
  return cells;
}

}  // namespace

TEST_CASE("the published sparse problem, with and without overlap") {
  for (const char* overlap : {"", ":overlap=0.5"}) {
    for (const int nnz : {1, 10, 100, 1000, 100000, 500000}) {
      INFO(nnz << overlap);
      const std::vector<Tensor> pair = generate_data("published:nnz=" + std::to_string(nnz) + ":seed=1" + overlap);
      const Tensor &a = pair.at(0), &b = pair.at(1);
      CHECK(a.nnz() == nnz);
      CHECK(b.nnz() == nnz);
      const std::vector<double> want = hash_join(a, b);
      Options options;
      options.out_format = Layout::csf;
      const Tensor got = shared_context().einsum("abcde,bdace->abe", Operands(pair), options);
      std::string fault;
      const Array cells = read_tensor(got, &fault);
      CHECK(fault == "");
      if (*overlap != 0 && nnz >= 10) CHECK(got.nnz() > 0);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < want.size(); ++i)
        wrong += std::abs(cells.values[i].real() - want[i]) > 1e-12 * std::abs(want[i]);
      CHECK(wrong == 0);
      CHECK(identical(got, shared_context().einsum("abcde,bdace->abe", Operands(pair), options)));
    }
  }
}

}  // namespace einloom::test
