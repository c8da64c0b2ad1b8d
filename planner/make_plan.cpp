// make_plan: the planner's spine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>

#include "build.h"
#include "frontend/error.h"
#include "frontend/text.h"

namespace einloom {

namespace {

constexpr std::size_t most_fused = 8;

void check_options(const PlanOptions& options, std::size_t operands) {
  static constexpr const char* strategies[] = {"auto", "loops", "gett", "fused", "pairwise"};
  if (std::find(std::begin(strategies), std::end(strategies), options.strategy) == std::end(strategies)) {
    throw Error::input(
        fmt::format("strategy '{}' is unknown, expected auto, loops, gett, fused or pairwise", options.strategy));
  }
  if (options.strategy == "fused" && operands > most_fused) {
    throw Error::input(fmt::format("strategy fused takes at most {} operands, found {}", most_fused, operands));
  }
  if (options.strategy == "fused" && options.path != "auto") {
    throw Error::input("strategy fused is one step over all operands: expected path auto, found " + options.path);
  }
  if (options.layout != Layout::dense && (options.has_output || options.accumulates)) {
    throw Error::input(
        fmt::format("a {} result cannot go into a given output, expected a dense result", name(options.layout)));
  }
  if (options.memory_limit < 0)
    throw Error::input(fmt::format("the memory limit is {}, expected 0 or more", options.memory_limit));
}

Item output_item(const Contraction& c, const PlanOptions& options) {
  Item item;
  item.tensor = {Ref::Kind::output, 0};
  item.labels = c.output;
  const std::vector<std::int64_t> extents = c.output_extents();
  if (options.layout != Layout::dense) {
    // A result of no modes has no levels to be sparse in: one value, stored or not.
    item.desc = sparse_desc(c.compute, extents, 0, options.layout == Layout::coo ? coo() : csf());
    return item;
  }
  if (options.has_output) {
    if (options.output.extents != extents) {
      throw Error::input(fmt::format("the output's shape is {}, expected {}", shape_text(options.output.extents),
                                     shape_text(extents)));
    }
    item.desc = options.output;
    return item;
  }
  const double bytes = cells_of(extents) * static_cast<double>(size_of(c.result));
  if (bytes >= 9e18) {
    throw Error::memory(fmt::format("the result of shape {}", shape_text(extents)),
                        bytes < 1.8e19 ? static_cast<unsigned long long>(bytes) : ~0ULL);
  }
  item.desc = dense_desc(c.result, extents);
  return item;
}

// Expected stored values of a sparse result, from all operands at once.
void estimate_output(Problem& problem) {
  TensorDesc& desc = problem.output.desc;
  if (!desc.sparse || desc.extents.empty()) return;
  double leaves = 1;
  for (const std::int64_t e : problem.contraction.extents) leaves *= static_cast<double>(e);
  for (const Item& item : problem.operands) leaves *= density(item.desc);
  const double stored = expected_distinct(cells_of(desc.extents), leaves == leaves ? leaves : 0);
  const std::int64_t nnz = stored >= 9e18 ? desc.size() : std::min(desc.size(), static_cast<std::int64_t>(stored));
  desc = sparse_desc(desc.dtype, desc.extents, nnz, desc.format);
}

Problem problem_of(const Contraction& contraction, const PlanOptions& options, const Target& target) {
  Problem problem;
  problem.contraction = contraction;
  problem.options = options;
  problem.target = target;
  for (std::size_t i = 0; i < contraction.operands.size(); ++i) {
    problem.operands.push_back(
        {{Ref::Kind::operand, static_cast<int>(i)}, contraction.inputs[i], contraction.operands[i]});
  }
  problem.output = output_item(contraction, options);
  estimate_output(problem);
  return problem;
}

Path single_step(std::size_t operands, std::string method) {
  Path path;
  path.steps.emplace_back(operands);
  std::iota(path.steps[0].begin(), path.steps[0].end(), 0);
  path.method = std::move(method);
  return path;
}

double largest_temp(const Plan& plan) {
  double largest = 0;
  for (const Temp& temp : plan.temps) largest = std::max(largest, static_cast<double>(temp.bytes));
  return largest;
}

// The path with step `at` done within the step that uses its result.
Path merged_into_user(const Path& path, std::size_t operands, std::size_t at) {
  const int id = static_cast<int>(operands + at);
  Path merged;
  merged.method = "fused";
  for (std::size_t s = 0; s < path.steps.size(); ++s) {
    if (s == at) continue;
    std::vector<int> step;
    for (const int input : path.steps[s]) {
      if (input == id) {
        step.insert(step.end(), path.steps[at].begin(), path.steps[at].end());
      } else {
        step.push_back(input);
      }
    }
    // Results after the removed one move up by one.
    for (int& input : step) input -= input > id;
    std::sort(step.begin(), step.end());
    merged.steps.push_back(std::move(step));
  }
  return merged;
}

bool within(const Plan& plan, const PlanOptions& options) {
  return options.memory_limit == 0 || plan.peak_bytes <= options.memory_limit;
}

struct Chosen {
  Path path;
  std::optional<Plan> plan;      // the fastest
  std::optional<Plan> fitting;   // the fastest within the memory limit
  std::optional<Error> refusal;  // why there is no plan yet
};

void offer(Chosen& chosen, const Problem& problem, const Path& path) {
  try {
    Plan plan = build_plan(problem, path);
    plan.path_text = path_text(path, problem.operands.size());
    if (within(plan, problem.options) && (!chosen.fitting || plan.seconds < chosen.fitting->seconds))
      chosen.fitting = plan;
    if (chosen.plan && plan.seconds >= chosen.plan->seconds) return;
    chosen.path = path;
    chosen.plan = std::move(plan);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::memory && error.kind() != Error::Kind::input) throw;
    if (!chosen.refusal) chosen.refusal = error;
  }
}

// The plan to keep when the fastest is over the memory limit: sliced, or a slower one that fits without being absurd.
Plan fitted(const Problem& problem, Chosen& chosen) {
  constexpr double absurd = 100;
  try {
    Plan sliced = slice_plan(problem, chosen.path, chosen.plan->peak_bytes);
    if (chosen.fitting && chosen.fitting->seconds <= sliced.seconds) return std::move(*chosen.fitting);
    return sliced;
  } catch (const Error&) {
    if (chosen.fitting && chosen.fitting->seconds <= absurd * chosen.plan->seconds) return std::move(*chosen.fitting);
    throw;
  }
}

Chosen choose(const Problem& problem) {
  const PlanOptions& options = problem.options;
  const std::size_t n = problem.operands.size();
  Chosen chosen;
  if (options.path != "auto" && options.path != "optimal" && options.path != "greedy") {
    offer(chosen, problem, given_path(options.path, n));
    return chosen;
  }
  if (n == 1 || options.strategy == "fused") {
    offer(chosen, problem, single_step(n, n == 1 ? "single" : "fused"));
    return chosen;
  }
  offer(chosen, problem, options.path == "greedy" ? greedy_path(problem) : optimal_path(problem));
  if (n == 2 || options.strategy == "pairwise" || options.strategy == "gett") return chosen;
  const bool sparse =
      std::any_of(problem.operands.begin(), problem.operands.end(), [](const Item& i) { return i.desc.sparse; });
  double largest = 0;
  for (const Item& item : problem.operands) largest = std::max(largest, bytes_of(item.desc));
  if (n > most_fused || !(sparse || !chosen.plan || largest_temp(*chosen.plan) > largest)) return chosen;
  // Fuse steps of the path one after the other while that helps, then try all in one.
  for (std::size_t s = 0; chosen.plan && s + 1 < chosen.path.steps.size();) {
    const Path before = chosen.path;
    offer(chosen, problem, merged_into_user(before, n, s));
    s = chosen.path.steps.size() < before.steps.size() ? 0 : s + 1;
  }
  offer(chosen, problem, single_step(n, "fused"));
  return chosen;
}

// Some label has extent 0: every sum is empty, so one operand with such a label tells all.
std::optional<int> empty_operand(const Problem& problem) {
  for (const Item& item : problem.operands) {
    if (std::find(item.desc.extents.begin(), item.desc.extents.end(), 0) != item.desc.extents.end())
      return item.tensor.index;
  }
  return std::nullopt;
}

double naive_flops(const Contraction& c) {
  double leaves = 1;
  for (const std::int64_t e : c.extents) {
    if (e == 0) return 0;
    leaves *= static_cast<double>(e);
  }
  for (const TensorDesc& desc : c.operands) leaves *= density(desc);
  bool sums = false;
  for (std::size_t l = 0; l < c.extents.size() && !sums; ++l) {
    sums = c.extents[l] != 1 && std::find(c.output.begin(), c.output.end(), static_cast<int>(l)) == c.output.end();
  }
  return leaves == leaves ? leaves * flops_per_leaf(c.operands.size(), sums, c.compute) : 0;
}

Plan plan_of(const Problem& problem) {
  if (problem.operands.size() > 1) {
    if (const std::optional<int> empty = empty_operand(problem)) {
      Problem reduced = problem;
      reduced.operands = {problem.operands[static_cast<std::size_t>(*empty)]};
      Plan plan = build_plan(reduced, single_step(1, "single"));
      plan.path_text = path_text(single_step(problem.operands.size(), "single"), problem.operands.size());
      return plan;
    }
  }
  Chosen chosen = choose(problem);
  if (!chosen.plan) throw *chosen.refusal;
  if (!within(*chosen.plan, problem.options)) chosen.plan = fitted(problem, chosen);
  if (problem.options.strategy == "gett" && std::none_of(chosen.plan->steps.begin(), chosen.plan->steps.end(),
                                                         [](const Step& s) { return s.strategy == Strategy::gett; })) {
    throw Error::input("strategy gett: no step is a matrix product of two dense tensors with rows, columns and a sum");
  }
  return std::move(*chosen.plan);
}

bool dense_temp(const Access& a) { return a.tensor.kind == Ref::Kind::temp && !a.desc.sparse; }

}  // namespace

Plan make_plan(const Contraction& contraction, const PlanOptions& options, const Target& target, Trace* trace) {
  const auto begin = std::chrono::steady_clock::now();
  if (contraction.operands.empty()) throw Error::input("a contraction needs at least one operand, found none");
  check_options(options, contraction.operands.size());
  const Problem problem = problem_of(contraction, options, target);
  Plan plan = plan_of(problem);
  for (Step& step : plan.steps)
    step.drops_identities = step.output.desc.sparse && std::any_of(step.inputs.begin(), step.inputs.end(), dense_temp);
  plan.naive_flops = naive_flops(contraction);
  if (options.layout != Layout::dense) plan.output.dtype = contraction.result;
  if (trace) {
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    trace->stages.push_back({"path", path_report(plan, contraction, target), taken.count(), true});
    trace->stages.push_back({"plan", to_string(plan), 0, true});
  }
  return plan;
}

}  // namespace einloom
