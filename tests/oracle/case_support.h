// Helpers of the case tests: operands from short lists, and one check of a whole expression against the oracle.
#pragma once

#include <initializer_list>
#include <numeric>

#include "tests/support/catch.h"
#include "tests/support/oracle.h"

namespace einloom::test {

using Ints = std::vector<std::int64_t>;

inline Context& shared_context() {
  static Context context;
  return context;
}

template <class T>
Tensor filled(Ints extents, T value) {
  const std::size_t count = count_of(extents);
  return Tensor::from<T>(std::move(extents), std::vector<T>(count, value));
}

// 0, 1, 2, ...
template <class T>
Tensor arange(Ints extents) {
  std::vector<T> values(count_of(extents));
  std::iota(values.begin(), values.end(), T(0));
  return Tensor::from<T>(std::move(extents), values);
}

// Small integers as values, so that sums are exact.
inline Array random_array(Random& random, Ints extents, DType dtype = DType::f64, double density = 1) {
  Array array = make_array(dtype, std::move(extents));
  for (std::size_t i = 0; i < array.size(); ++i) array.set(i, static_cast<double>(draw(random, -4, 4)));
  if (density >= 1) return array;
  array.present.resize(array.size());
  for (char& present : array.present) present = chance(random, density);
  return array;
}

inline Tensor random_dense(Random& random, Ints extents, DType dtype = DType::f64) {
  const Held held = dense_tensor(random_array(random, extents, dtype));
  return Tensor::from_raw(dtype, extents, held.memory.data(), count_of(extents));
}

inline Tensor random_sparse(Random& random, Ints extents, double density, const Format& format = csf()) {
  return sparse_tensor(random_array(random, std::move(extents), DType::f64, density), format, Semiring::plus_times,
                       &random);
}

// The oracle's answer for tensors and a text, and what is wrong with `got`.
inline std::string against_oracle(const std::string& text, const std::vector<Tensor>& operands, const Options& options,
                                  const Tensor& got, bool exact = true) {
  std::vector<Array> arrays;
  std::vector<int> ranks;
  for (const Tensor& operand : operands) {
    arrays.push_back(read_tensor(operand));
    ranks.push_back(operand.order());
  }
  OracleProblem problem;
  for (const Array& array : arrays) problem.operands.push_back(&array);
  const SplitText split = split_einsum(text, ranks);
  problem.labels = split.inputs;
  problem.output = split.output;
  problem.semiring = options.semiring.value_or(Semiring::plus_times);
  problem.broadcast = options.broadcast;
  problem.result = got.dtype();
  return compare(problem, oracle(problem), got, got.dtype(), exact);
}

// Runs the expression on every path setting and compares each result with the oracle.
inline void check(const std::string& text, const std::vector<Tensor>& operands, Options options = {},
                  bool exact = true) {
  for (const char* path : {"auto", "optimal", "greedy"}) {
    INFO(text << " path " << path);
    options.path = path;
    const Tensor got = shared_context().einsum(text, Operands(operands), options);
    CHECK(against_oracle(text, operands, options, got, exact) == "");
  }
}

template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error::internal("nothing was thrown");
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace einloom::test
