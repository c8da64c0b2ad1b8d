// The truth: nested loops over every label in double precision (complex where an operand is; 64-bit integers that wrap
// at the result's width; semirings; bool). Written apart from the library: it uses no parser, binder or kernel of it.
//
// In: operands as Arrays with a label for each mode, labels of the output (repeats write a diagonal). Out: the result,
// and for every element the sum (min and max: the largest) of absolute values of its terms, for error bounds, and
// whether any term of present elements reaches it. Throws std::invalid_argument when extents of a label differ. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/array.h"

namespace einloom::test {

struct OracleProblem {
  std::vector<const Array*> operands;
  std::vector<std::vector<int>> labels;  // of each operand's modes
  std::vector<int> output;
  Semiring semiring = Semiring::plus_times;
  DType result = DType::f64;
  bool broadcast = false;  // extent 1 stretches on every label; labels of an ellipsis always do
  std::complex<double> alpha = 1, beta = 0;
  const Array* prior = nullptr;  // what beta multiplies
};

struct OracleAnswer {
  std::vector<std::int64_t> extents;
  std::vector<std::complex<double>> values;
  std::vector<std::int64_t> ints;  // where the result is an integer or bool
  std::vector<double> magnitude;
  std::vector<char> possible;
  double terms = 0;  // summed for one element
};

OracleAnswer oracle(const OracleProblem& problem);

// Labels at and above this number are dimensions of an ellipsis, counted from its right end.
inline constexpr int ellipsis_label = 1 << 20;

// "ij,...j->i" as labels (a letter is its code), with `ranks` the number of modes of each operand. ASCII letters only.
struct SplitText {
  std::vector<std::vector<int>> inputs;
  std::vector<int> output;
};
SplitText split_einsum(const std::string& text, const std::vector<int>& ranks);
std::complex<double> identity_value(Semiring semiring, DType dtype);
std::int64_t identity_int(Semiring semiring, DType dtype);

// Compares an answer with what the library gave. Integers and bools exactly; floating types within
// 8 eps(compute) (terms + operands) magnitude plus the rounding of the result type. `exact`: no tolerance at all.
// `compute` is the narrowest type the sum may be kept in. Returns what is wrong, or nothing.
std::string compare(const OracleProblem& problem, const OracleAnswer& answer, const Tensor& got, DType compute,
                    bool exact = false);

}  // namespace einloom::test
