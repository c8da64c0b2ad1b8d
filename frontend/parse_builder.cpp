#include "parse_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "error.h"

namespace einloom {

void ExprBuilder::begin_input(std::size_t position) {
  inputs_.emplace_back();
  input_labels_.emplace_back();
  inputs_.back().begin = inputs_.back().end = position;
  empty_term_ = true;
}

void ExprBuilder::begin_output(std::size_t position) {
  in_output_ = has_output_ = true;
  output_.begin = output_.end = position;
  empty_term_ = true;
}

void ExprBuilder::token_end(std::string_view token) { current().end = offset(token) + token.size(); }

void ExprBuilder::grow(std::string_view token) {
  if (empty_term_) current().begin = offset(token);
  empty_term_ = false;
  token_end(token);
}

void ExprBuilder::name(std::string_view token) {
  grow(token);
  current().name = std::string(token);
}

void ExprBuilder::label(std::string_view token) {
  grow(token);
  current().positions.push_back(offset(token));
  (in_output_ ? output_labels_ : input_labels_.back()).push_back(token);
}

void ExprBuilder::dots(std::string_view token) {
  if (token.size() != 3) fail(fmt::format("an ellipsis is three dots, found {}", token.size()), offset(token));
  if (current().ellipsis >= 0) {
    fail(in_output_ ? std::string("a second ellipsis in the output")
                    : fmt::format("a second ellipsis in operand {}", inputs_.size() - 1),
         offset(token));
  }
  grow(token);
  current().ellipsis = static_cast<int>(current().positions.size());
}

void ExprBuilder::fail(std::string message, std::size_t position) const {
  throw Error::input(std::move(message), std::string(text_), position);
}

Expr ExprBuilder::finish() {
  Expr expr;
  expr.text = std::string(text_);
  std::unordered_map<std::string_view, int> ids;
  for (std::size_t t = 0; t < inputs_.size(); ++t) {
    for (const std::string_view token : input_labels_[t]) {
      const auto [at, fresh] = ids.try_emplace(token, static_cast<int>(expr.names.size()));
      if (fresh) expr.names.emplace_back(token);
      inputs_[t].labels.push_back(at->second);
    }
  }
  expr.inputs = std::move(inputs_);
  expr.output = std::move(output_);
  expr.explicit_output = has_output_;
  if (has_output_) {
    for (std::size_t i = 0; i < output_labels_.size(); ++i) {
      const auto at = ids.find(output_labels_[i]);
      if (at == ids.end()) {
        fail(fmt::format("label {} of the output is in no operand", output_labels_[i]), expr.output.positions[i]);
      }
      expr.output.labels.push_back(at->second);
    }
    if (expr.output.ellipsis >= 0 && !any_ellipsis(expr.inputs)) {
      fail("the output has an ellipsis, but no operand has one", text_.find("...", expr.output.begin));
    }
    return expr;
  }
  expr.output.labels = labels_seen_once(expr);
  // UTF-8 bytes sort as code points do.
  std::sort(expr.output.labels.begin(), expr.output.labels.end(), [&](int a, int b) {
    return expr.names[static_cast<std::size_t>(a)] < expr.names[static_cast<std::size_t>(b)];
  });
  expr.output.ellipsis = any_ellipsis(expr.inputs) ? 0 : -1;
  expr.output.begin = expr.output.end = text_.size();
  return expr;
}

std::vector<int> labels_seen_once(const Expr& expr) {
  std::vector<int> seen(expr.names.size());
  for (const Term& term : expr.inputs) {
    for (const int label : term.labels) ++seen[static_cast<std::size_t>(label)];
  }
  std::vector<int> once;
  for (std::size_t label = 0; label < seen.size(); ++label) {
    if (seen[label] == 1) once.push_back(static_cast<int>(label));
  }
  return once;
}

bool any_ellipsis(const std::vector<Term>& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.ellipsis >= 0; });
}

}  // namespace einloom
