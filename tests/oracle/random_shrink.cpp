// Makes a failing problem smaller while it still fails: fewer operands, fewer labels, smaller extents, plainer options.
#include <algorithm>
#include <functional>
#include <set>

#include "tests/oracle/random_case.h"
#include "tests/support/arguments.h"

namespace einloom::test {

namespace {

// Labels that no operand has leave the output; a problem without operands is none.
bool tidy(RandomCase& c) {
  if (c.operands.empty()) return false;
  std::set<int> used;
  for (const RandomOperand& operand : c.operands) used.insert(operand.labels.begin(), operand.labels.end());
  const auto unused = [&](int label) { return used.count(label) == 0; };
  c.output.erase(std::remove_if(c.output.begin(), c.output.end(), unused), c.output.end());
  std::erase_if(c.extents, [&](const auto& entry) { return unused(entry.first); });
  if (c.options.path.find('(') != std::string::npos) c.options.path = "auto";
  if (c.output.empty()) c.options.out_format = Layout::dense;
  c.out_placement = {};
  if (c.form == Form::implicit) c.form = Form::text;
  return true;
}

void drop_mode(RandomOperand& operand, std::size_t mode) {
  operand.labels.erase(operand.labels.begin() + static_cast<std::ptrdiff_t>(mode));
  operand.ones.erase(operand.ones.begin() + static_cast<std::ptrdiff_t>(mode));
  operand.placement = {};
  operand.format = csf();
  operand.sparse = operand.sparse && !operand.labels.empty();
  operand.format = operand.sparse ? resolve(csf(), static_cast<int>(operand.labels.size())) : Format{};
}

std::vector<std::function<bool(RandomCase&)>> steps_for(const RandomCase& c) {
  std::vector<std::function<bool(RandomCase&)>> steps;
  for (std::size_t o = 0; o < c.operands.size() && c.operands.size() > 1; ++o) {
    steps.push_back([o](RandomCase& x) {
      x.operands.erase(x.operands.begin() + static_cast<std::ptrdiff_t>(o));
      return tidy(x);
    });
  }
  for (const auto& [label, extent] : c.extents) {
    const int own = label;
    steps.push_back([own](RandomCase& x) {
      for (RandomOperand& operand : x.operands) {
        for (std::size_t m = operand.labels.size(); m-- > 0;) {
          if (operand.labels[m] == own) drop_mode(operand, m);
        }
      }
      return tidy(x);
    });
    for (const std::int64_t smaller : {std::int64_t{1}, extent / 2, extent - 1}) {
      if (smaller < 1 || smaller >= extent) continue;
      steps.push_back([own, smaller](RandomCase& x) { return x.extents[own] = smaller, true; });
    }
  }
  for (std::size_t o = 0; o < c.operands.size(); ++o) {
    if (c.operands[o].sparse) {
      steps.push_back([o](RandomCase& x) { return x.operands[o].sparse = false, true; });
      steps.push_back([o](RandomCase& x) {
        Format plain = resolve(csf(), static_cast<int>(x.operands[o].labels.size()));
        const bool changes = !(plain == x.operands[o].format);
        x.operands[o].format = std::move(plain);
        return changes;
      });
    } else if (!c.operands[o].placement.gap.empty() || !c.operands[o].placement.order.empty()) {
      steps.push_back([o](RandomCase& x) { return x.operands[o].placement = {}, true; });
    }
  }
  steps.push_back([](RandomCase& x) { return std::exchange(x.options.path, "auto") != "auto"; });
  steps.push_back([](RandomCase& x) { return std::exchange(x.options.strategy, "auto") != "auto"; });
  steps.push_back([](RandomCase& x) { return std::exchange(x.options.memory_limit, 0) != 0; });
  steps.push_back([](RandomCase& x) { return std::exchange(x.options.out_format, Layout::dense) != Layout::dense; });
  steps.push_back(
      [](RandomCase& x) { return std::exchange(x.into, false) && (x.options.alpha = 1, x.options.beta = 0, true); });
  steps.push_back([](RandomCase& x) { return std::exchange(x.form, Form::text) != Form::text; });
  steps.push_back([](RandomCase& x) {
    const bool ordinary = x.promoted() == DType::f64 && x.result() == DType::f64;
    for (RandomOperand& operand : x.operands) operand.dtype = DType::f64;
    x.options.dtype.reset();
    x.out_dtype = x.result();
    x.large_ints = false;
    return !ordinary;
  });
  return steps;
}

}  // namespace

RandomCase shrink(Context& context, RandomCase failing) {
  const Stopwatch watch;
  for (bool smaller = true; smaller && watch.seconds() < 60;) {
    smaller = false;
    for (const auto& step : steps_for(failing)) {
      RandomCase candidate = failing;
      if (!step(candidate) || check_case(context, candidate).verdict != Verdict::failed) continue;
      failing = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return failing;
}

}  // namespace einloom::test
