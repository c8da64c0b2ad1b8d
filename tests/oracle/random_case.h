// One random problem: everything that defines it except the values, which follow from data_seed. A plain value, so that
// a failing problem can be made smaller field by field.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/oracle.h"

namespace einloom::test {

struct RandomOperand {
  std::vector<int> labels;
  std::vector<char> ones;  // a mode: extent 1 that stretches
  DType dtype = DType::f64;
  bool sparse = false;
  Format format;
  double density = 1;
  Placement placement;  // dense
};

enum class Form { text, implicit, interleaved, index };

struct RandomCase {
  std::vector<RandomOperand> operands;
  std::vector<int> output;
  std::map<int, std::int64_t> extents;
  Semiring semiring = Semiring::plus_times;
  Form form = Form::text;
  Options options;
  bool into = false;  // einsum_into
  DType out_dtype = DType::f64;
  Placement out_placement;
  bool large_ints = false;  // values that wrap
  std::uint64_t data_seed = 0;

  std::vector<std::int64_t> shape_of(const RandomOperand& operand) const;
  std::vector<std::int64_t> out_shape() const;
  DType promoted() const;  // the operands' common type
  DType result() const;    // the element type einsum gives
  double work() const;     // terms of the nested loops
};

RandomCase draw_case(std::uint64_t seed);  // random_draw.cpp
std::string text_of(const RandomCase& c);  // random_text.cpp
std::string describe(const RandomCase& c);

enum class Verdict { passed, refused, failed };  // refused: an option that does not apply here
struct Outcome {
  Verdict verdict = Verdict::passed;
  std::string message;
};
Outcome check_case(Context& context, const RandomCase& c);  // random_check.cpp
RandomCase shrink(Context& context, RandomCase failing);    // random_shrink.cpp

}  // namespace einloom::test
