// Contraction: what is asked, with every label's extent known and all text left behind.
//
// Labels are canonical: numbered 0,1,2,... by first appearance over the operands, ellipsis modes included, so
// "ab,bc->ac" and "ij,jk->ik" give equal Contractions. A mode that broadcasts (extent 1 against n) carries a private
// label of extent 1. Pure value. bind() throws Error(input): the message names label, operand and sizes, with a caret
// where there is a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "expr.h"
#include "tensor_desc.h"
#include "trace.h"

namespace einloom {

struct BindOptions {
  bool broadcast = false;       // extent 1 broadcasts against a named label
  bool write_diagonal = false;  // a label repeated in the output writes the diagonal
  bool has_dtype = false;
  DType dtype = DType::f64;  // asked result type, if has_dtype
  bool has_semiring = false;
  Semiring semiring = Semiring::plus_times;  // overrides the text's only if the text names none
};

struct Contraction {
  std::vector<std::vector<int>> inputs;  // label of each mode, an operand each
  std::vector<int> output;               // label of each mode of the result; repeats mean a diagonal is written
  std::vector<std::int64_t> extents;     // of each label
  std::vector<TensorDesc> operands;      // as given
  Semiring semiring = Semiring::plus_times;
  DType result = DType::f64;       // element type of the result: promotion, or as asked; or-and gives bool
  DType compute = DType::f64;      // element type in which sums are kept: accumulator(result)
  std::vector<std::string> names;  // display names of labels; not part of what is asked
  bool accumulate = false;

  std::vector<std::int64_t> output_extents() const;
  // Equal for Contractions that ask the same thing of the same kind of operands (names left out).
  bool same(const Contraction& other) const;
};

// `operands`: one a term of expr.inputs (a tensor named twice is given twice, see operand_of).
// Call it qualified: where <functional> is included, argument-dependent look-up finds std::bind too.
Contraction bind(const Expr& expr, const std::vector<TensorDesc>& operands, const BindOptions& options = {});
std::string to_string(const Contraction& contraction);  // the stage "contraction"

}  // namespace einloom
