// Expr: an expression as written, before any tensor is known.
//
// Two notations give the same Expr: einsum strings ("ij,jk->ik") and index notation ("C[i,k] += A[i,j] * B[j,k]").
// Labels are numbered by first appearance; `names` gives their text for messages, never for generated code.
// Pure value; parse() has no state and may be called from any thread. Throws Error(input) with text and position.
//
//   Expr e = parse("ij,jk->ik");
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "semiring.h"

namespace einloom {

struct Term {
  std::vector<int> labels;             // one a named mode, in order
  int ellipsis = -1;                   // index into labels before which "..." stands, or -1
  std::vector<std::size_t> positions;  // byte offset of each label in the text (empty when interleaved)
  std::size_t begin = 0, end = 0;      // byte range of the whole term in the text
  std::string name;                    // index notation: the tensor's name
};

struct Expr {
  std::string text;  // empty for the interleaved form
  std::vector<Term> inputs;
  Term output;  // when implicit: filled by the rule (labels seen once, sorted; ellipsis first)
  bool explicit_output = true;
  std::vector<std::string> names;  // text of each label id
  Semiring semiring = Semiring::plus_times;
  bool names_semiring = false;  // the text itself chose the semiring (index notation)
  bool accumulate = false;      // `+=`: the result is added onto an existing output
};

Expr parse(std::string_view text);  // either notation; a text with a '[' or a '=' is index notation
// Interleaved form. Ids must be >= 0 and are kept as names; `ellipsis_id` stands for an ellipsis.
// Without `output` the implicit rule sorts ids numerically.
inline constexpr std::int64_t ellipsis_id = INT64_MIN;
Expr interleaved(const std::vector<std::vector<std::int64_t>>& inputs, const std::vector<std::int64_t>* output);
// A term of index notation that names the same tensor twice (A[i,j] * A[j,k]) refers to one operand: the distinct names
// in order of first appearance on the right side, and for each input the index of its name. Einsum strings: one name
// each.
std::vector<int> operand_of(const Expr& expr, std::vector<std::string>* names = nullptr);
std::string to_string(const Expr& expr);  // the stage "expr": one line a term

}  // namespace einloom
