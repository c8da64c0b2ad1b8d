// Collects the terms a grammar recognises and turns them into an Expr. Shared by the two notations.
// Throws Error(input) with text and position for what a grammar cannot see: a second ellipsis, an output label of no
// operand.
#pragma once

#include <string_view>
#include <vector>

#include "expr.h"

namespace einloom {

class ExprBuilder {
 public:
  explicit ExprBuilder(std::string_view text) : text_(text) {}

  void begin_input(std::size_t position);
  void begin_output(std::size_t position);
  void leave_output() { in_output_ = false; }
  void name(std::string_view token);  // index notation: the tensor's name
  void label(std::string_view token);
  void dots(std::string_view token);       // a run of dots; an ellipsis if they are three
  void token_end(std::string_view token);  // the term reaches to the end of this token

  const std::vector<Term>& inputs() const { return inputs_; }
  const Term& output() const { return output_; }
  bool in_output() const { return in_output_; }
  bool has_output() const { return has_output_; }
  std::string_view text() const { return text_; }
  std::size_t offset(std::string_view token) const { return static_cast<std::size_t>(token.data() - text_.data()); }
  [[noreturn]] void fail(std::string message, std::size_t position) const;

  // Numbers the labels and fills in an implicit output. The builder is spent afterwards.
  Expr finish();

 private:
  Term& current() { return in_output_ ? output_ : inputs_.back(); }
  void grow(std::string_view token);

  std::string_view text_;
  std::vector<Term> inputs_;
  std::vector<std::vector<std::string_view>> input_labels_;
  Term output_;
  std::vector<std::string_view> output_labels_;
  bool in_output_ = false, has_output_ = false;
  bool empty_term_ = true;
};

// Labels that occur once over all inputs, by id; and whether some input has an ellipsis.
std::vector<int> labels_seen_once(const Expr& expr);
bool any_ellipsis(const std::vector<Term>& terms);

Expr parse_einsum(std::string_view text);
Expr parse_index(std::string_view text);

}  // namespace einloom
