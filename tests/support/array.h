// Plain row-major arrays, the tests' own form of data: every element as a complex double and as an integer, with a mask
// of those present where the operand is sparse. Tensors are made from them and compared with them element by element.
#pragma once

#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "runtime/einloom.h"

namespace einloom::test {

using Random = std::mt19937_64;
inline std::int64_t draw(Random& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}
inline bool chance(Random& random, double probability) {
  return static_cast<double>(random() >> 11) * 0x1p-53 < probability;
}

struct Array {
  DType dtype = DType::f64;
  std::vector<std::int64_t> extents;
  std::vector<std::complex<double>> values;  // row-major
  std::vector<std::int64_t> ints;            // the same, exact, for bool and integers
  std::vector<char> present;                 // empty: dense

  std::size_t size() const { return values.size(); }
  void set(std::size_t at, std::complex<double> value);  // rounds to the element type
  void set_int(std::size_t at, std::int64_t value);
};
Array make_array(DType dtype, std::vector<std::int64_t> extents);
std::size_t count_of(const std::vector<std::int64_t>& extents);
// Steps a row-major multi-index; false after the last.
bool next_index(std::vector<std::int64_t>& index, const std::vector<std::int64_t>& extents);

// One element of memory, by type.
void store(DType dtype, void* base, std::int64_t index, std::complex<double> value, std::int64_t integer);
std::complex<double> load(DType dtype, const void* base, std::int64_t index);
std::int64_t load_int(DType dtype, const void* base, std::int64_t index);  // 0 for floating types

// A dense tensor over memory held beside it. `strides` may have any sign; gaps are filled with poison.
struct Held {
  std::vector<std::complex<double>> memory;
  std::size_t bytes = 0;  // used
  Tensor tensor;
};
struct Placement {
  std::vector<int> order;  // modes from outermost to innermost; empty: row-major
  std::vector<std::int64_t>
      gap;         // factor on a mode's stride, negative: runs backwards, 0: all elements share one place
  int offset = 0;  // elements before the first
};
Held dense_tensor(const Array& array, const Placement& placement = {});
// The array's present elements (all, where it has no mask) as a sparse tensor. Coordinates are shuffled when `random`
// is given, and some stand there twice, so that the reduction of the pair is the value.
Tensor sparse_tensor(const Array& array, const Format& format, Semiring semiring = Semiring::plus_times,
                     Random* random = nullptr);

// Any tensor as an Array (sparse: with its mask). `fault` says what is wrong with a sparse tensor's coordinates: out of
// range, unsorted or repeated; empty when nothing is.
Array read_tensor(const Tensor& tensor, std::string* fault = nullptr);
// Bit-for-bit equality, coordinates included.
bool identical(const Tensor& a, const Tensor& b);

}  // namespace einloom::test
