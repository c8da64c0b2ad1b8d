#include "expr.h"

#include <fmt/format.h>

#include <numeric>
#include <unordered_map>

#include "text.h"

namespace einloom {

namespace {

std::string term_text(const Expr& expr, const Term& term) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i <= term.labels.size(); ++i) {
    if (term.ellipsis == static_cast<int>(i)) parts.emplace_back("...");
    if (i < term.labels.size()) parts.push_back(expr.names[static_cast<std::size_t>(term.labels[i])]);
  }
  return fmt::format("{}[{}]", term.name, join(parts, ", "));
}

}  // namespace

std::vector<int> operand_of(const Expr& expr, std::vector<std::string>* names) {
  std::vector<int> operand(expr.inputs.size());
  std::vector<std::string> distinct;
  std::unordered_map<std::string_view, int> numbers;
  for (std::size_t t = 0; t < expr.inputs.size(); ++t) {
    const std::string& name = expr.inputs[t].name;
    const int next = static_cast<int>(distinct.size());
    // A term of an einsum string has no name and is an operand of its own.
    operand[t] = name.empty() ? next : numbers.try_emplace(name, next).first->second;
    if (operand[t] == next) distinct.push_back(name);
  }
  if (names != nullptr) *names = std::move(distinct);
  return operand;
}

std::string to_string(const Expr& expr) {
  Writer out;
  for (std::size_t t = 0; t < expr.inputs.size(); ++t) {
    out.line(fmt::format("operand {}  {}", t, term_text(expr, expr.inputs[t])));
  }
  out.line(fmt::format("output     {}{}", term_text(expr, expr.output), expr.explicit_output ? "" : "  (implicit)"));
  out.line(fmt::format("semiring   {}{}", name(expr.semiring), expr.accumulate ? ", accumulated onto the output" : ""));
  return out.take();
}

}  // namespace einloom
