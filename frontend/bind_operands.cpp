#include <fmt/format.h>

#include "bind_parts.h"
#include "error.h"
#include "text.h"

namespace einloom {

namespace {

std::string plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void check_count(const Expr& expr, std::size_t given) {
  const std::size_t terms = expr.inputs.size();
  if (given == terms) return;
  const std::string message = fmt::format("the expression has {}, but {} given", plural(terms, "operand"),
                                          given == 1 ? "1 was" : fmt::format("{} were", given));
  if (expr.text.empty()) throw Error::input(message);
  throw Error::input(message, expr.text, given < terms ? expr.inputs[given].begin : expr.inputs.back().end);
}

}  // namespace

std::string operand_text(const Expr& expr, std::size_t operand) {
  const std::string& name = expr.inputs[operand].name;
  return name.empty() ? fmt::format("operand {}", operand) : fmt::format("operand {} ({})", operand, name);
}

std::vector<int> check_operands(const Expr& expr, const std::vector<TensorDesc>& operands) {
  check_count(expr, operands.size());
  std::vector<int> widths(operands.size(), 0);
  for (std::size_t t = 0; t < operands.size(); ++t) {
    const Term& term = expr.inputs[t];
    const std::vector<std::int64_t>& extents = operands[t].extents;
    const std::size_t at = expr.text.empty() ? Error::no_position : term.begin;
    for (std::size_t m = 0; m < extents.size(); ++m) {
      if (extents[m] >= 0) continue;
      throw Error::input(fmt::format("mode {} of {} has the negative extent {}", m, operand_text(expr, t), extents[m]),
                         expr.text, at);
    }
    const std::size_t labels = term.labels.size(), modes = extents.size();
    if (term.ellipsis >= 0 && modes >= labels) {
      widths[t] = static_cast<int>(modes - labels);
    } else if (modes != labels) {
      const char* const tail = term.ellipsis >= 0 ? " besides the ellipsis" : modes > labels ? " and no ellipsis" : "";
      throw Error::input(fmt::format("{} has {} ({}), but its term has {}{}", operand_text(expr, t),
                                     plural(modes, "mode"), shape_text(extents), plural(labels, "label"), tail),
                         expr.text, at);
    }
  }
  return widths;
}

}  // namespace einloom
