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

// Labels that may be sliced: of dense operands only, and of one kind, so that the output is either addressed or
// gathered.
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
    if (summed ? in_output[l] == 0 : in_output[l] == 1 && !problem.output.desc.sparse)
      labels.push_back(static_cast<int>(l));
  }
  return labels;
}

// Sizes of a path's intermediates while labels are being sliced.
class Sizes {
 public:
  Sizes(const Problem& problem, const Path& path)
      : problem_(problem),
        path_(path),
        results_(result_labels(problem, path)),
        sliced_(problem.contraction.extents.size(), 0) {}

  void slice(int label, bool on) { sliced_[static_cast<std::size_t>(label)] = on; }

  // A dense upper bound of the bytes alive at once; `at` becomes the step that reaches it.
  double peak(std::size_t* at = nullptr, double* total = nullptr) const {
    const std::size_t n = problem_.operands.size();
    std::vector<double> bytes(n + results_.size(), 0.0);
    double alive = 0, most = 0;
    for (std::size_t s = 0; s + 1 < results_.size(); ++s) {
      bytes[n + s] = static_cast<double>(size_of(problem_.contraction.compute));
      for (const int l : results_[s]) {
        if (!sliced_[static_cast<std::size_t>(l)]) bytes[n + s] *= static_cast<double>(extent(l));
      }
      alive += bytes[n + s];
      if (total) *total += alive;
      if (alive > most) {
        most = alive;
        if (at) *at = s;
      }
      for (const int id : path_.steps[s]) alive -= bytes[static_cast<std::size_t>(id)];
    }
    return most;
  }

  // The label to slice next: with it the limit is met in the fewest slices, else the peak falls most.
  std::optional<int> best(const std::vector<int>& from) {
    std::size_t at = 0;
    peak(&at);
    std::optional<int> best;
    std::pair<double, double> least;
    const auto limit = static_cast<double>(problem_.options.memory_limit);
    for (const int l : from) {
      if (sliced_[static_cast<std::size_t>(l)] || !concerns(l, at)) continue;
      slice(l, true);
      double total = 0;
      const double reached = peak(nullptr, &total);
      slice(l, false);
      // Peaks are often shared by many steps: of equals the one that shrinks the rest most.
      const std::pair<double, double> now =
          reached <= limit ? std::pair(limit, static_cast<double>(extent(l))) : std::pair(reached, total);
      if (!best || now < least) best = l, least = now;
    }
    return best;
  }

 private:
  std::int64_t extent(int label) const { return problem_.contraction.extents[static_cast<std::size_t>(label)]; }
  // Labels of the intermediates alive at the peak; any label where the path has no intermediate of its own.
  bool concerns(int label, std::size_t at) const {
    if (results_.size() < 2) return true;
    const std::size_t n = problem_.operands.size();
    std::vector<char> used(at, 0);
    for (std::size_t s = 0; s < at; ++s) {
      for (const int id : path_.steps[s]) {
        if (static_cast<std::size_t>(id) >= n) used[static_cast<std::size_t>(id) - n] = 1;
      }
    }
    for (std::size_t s = 0; s <= at; ++s) {
      if ((s == at || !used[s]) && contains(results_[s], label)) return true;
    }
    return false;
  }

  const Problem& problem_;
  const Path& path_;
  std::vector<std::vector<int>> results_;
  std::vector<char> sliced_;
};

double slices_of(const Problem& problem, const std::vector<int>& sliced) {
  double slices = 1;
  for (const int l : sliced) slices *= static_cast<double>(problem.contraction.extents[static_cast<std::size_t>(l)]);
  return slices;
}

struct Attempt {
  std::optional<Plan> plan;
  std::int64_t least = INT64_MAX;  // smallest peak seen
};

Attempt attempt(const Problem& problem, const Path& path, bool summed) {
  constexpr std::size_t most_sliced = 24;
  Attempt result;
  const std::vector<int> from = candidates(problem, summed);
  Sizes sizes(problem, path);
  std::vector<int> sliced;
  Problem reduced = problem;
  while (sliced.size() < most_sliced) {
    const std::optional<int> label = sizes.best(from);
    if (!label) break;
    sliced.push_back(*label);
    sizes.slice(*label, true);
    if (slices_of(problem, sliced) > 1e12) break;
    reduced = without(std::move(reduced), *label);
    const bool more = sliced.size() < from.size() && sliced.size() < most_sliced;
    if (more && sizes.peak() > 4 * static_cast<double>(problem.options.memory_limit)) continue;
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
  throw Error::memory("this contraction, with labels sliced as far as that helps,",
                      static_cast<unsigned long long>(least),
                      static_cast<unsigned long long>(problem.options.memory_limit));
}

}  // namespace einloom
