// Keeping to a memory limit: labels are sliced, so that every intermediate shrinks and the steps run once a coordinate.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "build.h"
#include "frontend/error.h"

namespace einloom {

namespace {

bool contains(const std::vector<int>& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

void drop_label(std::vector<int>& labels, TensorDesc& desc, int label) {
  for (std::size_t m = labels.size(); m-- > 0;) {
    if (labels[m] != label) continue;
    const auto at = static_cast<std::ptrdiff_t>(m);
    labels.erase(labels.begin() + at);
    desc.extents.erase(desc.extents.begin() + at);
    if (!desc.sparse) desc.strides.erase(desc.strides.begin() + at);
  }
}

// The problem at one coordinate of a label.
Problem without(Problem problem, int label) {
  for (Item& item : problem.operands) drop_label(item.labels, item.desc, label);
  drop_label(problem.output.labels, problem.output.desc, label);
  std::erase(problem.contraction.output, label);
  return problem;
}

// Labels that may be sliced: of dense operands only, and of one kind, so that the output is either addressed or gathered.
std::vector<int> candidates(const Problem& problem, bool summed) {
  const std::size_t count = problem.contraction.extents.size();
  std::vector<int> in_dense(count, 0), in_sparse(count, 0), in_output(count, 0);
  for (const Item& item : problem.operands) {
    for (const int l : item.labels) ++(item.desc.sparse ? in_sparse : in_dense)[static_cast<std::size_t>(l)];
  }
  for (const int l : problem.contraction.output) ++in_output[static_cast<std::size_t>(l)];
  std::vector<int> labels;
  for (std::size_t l = 0; l < count; ++l) {
    if (problem.contraction.extents[l] < 2 || in_dense[l] == 0 || in_sparse[l] > 0) continue;
    if (summed ? in_output[l] == 0 : in_output[l] == 1 && !problem.output.desc.sparse) labels.push_back(static_cast<int>(l));
  }
  return labels;
}

// Bytes of the intermediates of a path, each label of which is sliced counted once: a dense upper bound of the peak.
double estimated_peak(const Problem& problem, const std::vector<std::vector<int>>& results, const Path& path,
                      const std::vector<int>& sliced) {
  const std::size_t n = problem.operands.size();
  std::vector<double> bytes(n + results.size(), 0.0);
  double alive = 0, peak = 0;
  for (std::size_t s = 0; s < results.size(); ++s) {
    double cells = s + 1 == results.size() ? 0 : static_cast<double>(size_of(problem.contraction.compute));
    for (const int l : results[s]) {
      if (!contains(sliced, l)) cells *= static_cast<double>(problem.contraction.extents[static_cast<std::size_t>(l)]);
    }
    bytes[n + s] = cells;
    alive += cells;
    peak = std::max(peak, alive);
    for (const int id : path.steps[s]) alive -= bytes[static_cast<std::size_t>(id)];
  }
  return peak;
}

// The label whose slicing lowers the peak most; the smallest extent of equals.
std::optional<int> best_label(const Problem& problem, const Path& path, const std::vector<int>& from, std::vector<int> sliced) {
  const std::vector<std::vector<int>> results = result_labels(problem, path);
  std::vector<char> useful(problem.contraction.extents.size(), 0);
  for (std::size_t s = 0; s + 1 < results.size(); ++s) {
    for (const int l : results[s]) useful[static_cast<std::size_t>(l)] = 1;
  }
  std::optional<int> best;
  double least = 0;
  for (const int l : from) {
    // A label in no intermediate can still matter: its operands may be copied or summed early.
    if (contains(sliced, l) || (!useful[static_cast<std::size_t>(l)] && results.size() > 1)) continue;
    sliced.push_back(l);
    const double peak = estimated_peak(problem, results, path, sliced);
    sliced.pop_back();
    const auto extent = [&](int label) { return problem.contraction.extents[static_cast<std::size_t>(label)]; };
    if (!best || peak < least || (peak == least && extent(l) < extent(*best))) best = l, least = peak;
  }
  return best;
}

double slices_of(const Problem& problem, const std::vector<int>& sliced) {
  double slices = 1;
  for (const int l : sliced) slices *= static_cast<double>(problem.contraction.extents[static_cast<std::size_t>(l)]);
  return slices;
}

struct Attempt {
  std::optional<Plan> plan;
  std::int64_t least = INT64_MAX;    // smallest peak seen
};

Attempt attempt(const Problem& problem, const Path& path, bool summed) {
  constexpr std::size_t most_sliced = 24;
  Attempt result;
  const std::vector<int> from = candidates(problem, summed);
  std::vector<int> sliced;
  Problem reduced = problem;
  while (sliced.size() < most_sliced) {
    const std::optional<int> label = best_label(problem, path, from, sliced);
    if (!label) break;
    sliced.push_back(*label);
    if (slices_of(problem, sliced) > 1e12) break;
    reduced = without(std::move(reduced), *label);
    const bool more = sliced.size() < from.size() && sliced.size() < most_sliced;
    if (more && estimated_peak(problem, result_labels(problem, path), path, sliced) >
                    4 * static_cast<double>(problem.options.memory_limit)) {
      continue;
    }
    try {
      Plan plan = summed ? build_gathered(problem, reduced, path, sliced) : build_plan(reduced, path, sliced);
      result.least = std::min(result.least, plan.peak_bytes);
      if (plan.peak_bytes > problem.options.memory_limit) continue;
      result.plan = std::move(plan);
      break;
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::memory && error.kind() != Error::Kind::input) throw;
    }
  }
  return result;
}

}  // namespace

Plan slice_plan(const Problem& problem, const Path& path, std::int64_t least) {
  Attempt outputs = attempt(problem, path, false), sums = attempt(problem, path, true);
  for (Attempt* a : {&outputs, &sums}) {
    least = std::min(least, a->least);
    if (!a->plan) continue;
    a->plan->output = problem.output.desc;
    a->plan->path_text = path_text(path, problem.operands.size());
  }
  if (outputs.plan && (!sums.plan || outputs.plan->seconds <= sums.plan->seconds)) return std::move(*outputs.plan);
  if (sums.plan) return std::move(*sums.plan);
  throw Error::memory("this contraction, with labels sliced as far as that helps,", static_cast<unsigned long long>(least),
                      static_cast<unsigned long long>(problem.options.memory_limit));
}

}  // namespace einloom
