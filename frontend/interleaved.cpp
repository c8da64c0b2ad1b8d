#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "error.h"
#include "parse_builder.h"

namespace einloom {

namespace {

// Ids of one operand or of the output, split into an ellipsis place and labels numbered through `number`.
template <class Number>
Term read_term(const std::vector<std::int64_t>& ids, const std::string& where, Number number) {
  Term term;
  for (const std::int64_t id : ids) {
    if (id == ellipsis_id) {
      if (term.ellipsis >= 0) throw Error::input("a second ellipsis in " + where);
      term.ellipsis = static_cast<int>(term.labels.size());
      continue;
    }
    if (id < 0) throw Error::input(fmt::format("label {} in {} is negative: label ids start at 0", id, where));
    term.labels.push_back(number(id));
  }
  return term;
}

}  // namespace

Expr interleaved(const std::vector<std::vector<std::int64_t>>& inputs, const std::vector<std::int64_t>* output) {
  Expr expr;
  if (inputs.empty()) throw Error::input("an expression has at least one operand");
  std::unordered_map<std::int64_t, int> numbers;
  std::vector<std::int64_t> ids;
  for (std::size_t t = 0; t < inputs.size(); ++t) {
    expr.inputs.push_back(read_term(inputs[t], fmt::format("operand {}", t), [&](std::int64_t id) {
      const auto [at, fresh] = numbers.try_emplace(id, static_cast<int>(ids.size()));
      if (fresh) ids.push_back(id);
      return at->second;
    }));
  }
  for (const std::int64_t id : ids) expr.names.push_back(std::to_string(id));
  expr.explicit_output = output != nullptr;
  if (output != nullptr) {
    expr.output = read_term(*output, "the output", [&](std::int64_t id) {
      const auto at = numbers.find(id);
      if (at == numbers.end()) throw Error::input(fmt::format("label {} of the output is in no operand", id));
      return at->second;
    });
    if (expr.output.ellipsis >= 0 && !any_ellipsis(expr.inputs)) {
      throw Error::input("the output has an ellipsis, but no operand has one");
    }
    return expr;
  }
  expr.output.labels = labels_seen_once(expr);
  std::sort(expr.output.labels.begin(), expr.output.labels.end(),
            [&](int a, int b) { return ids[static_cast<std::size_t>(a)] < ids[static_cast<std::size_t>(b)]; });
  expr.output.ellipsis = any_ellipsis(expr.inputs) ? 0 : -1;
  return expr;
}

}  // namespace einloom
