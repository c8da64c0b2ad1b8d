#include "check_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace einloom {

namespace {

struct Broken {
  std::string rule;
};

void require(bool holds, const std::string& rule) {
  if (!holds) throw Broken{rule};
}

bool has(const std::vector<int>& labels, int l) { return std::find(labels.begin(), labels.end(), l) != labels.end(); }

bool distinct(const std::vector<int>& labels) {
  return std::set<int>(labels.begin(), labels.end()).size() == labels.size();
}

void check_access(const Step& step, const Access& a, bool fold) {
  require(a.labels.size() == a.desc.extents.size(), "an access has a label a mode");
  for (std::size_t m = 0; m < a.labels.size(); ++m) {
    require(a.labels[m] >= 0 && a.labels[m] < static_cast<int>(step.extents.size()), "labels are step labels");
    require(step.extents[static_cast<std::size_t>(a.labels[m])] == a.desc.extents[m], "extents agree");
    require(!fold || a.desc.sparse || a.desc.extents[m] != 1, "dense modes of extent 1 are gone");
  }
  if (a.desc.sparse) {
    const int order = a.desc.order();
    require(
        static_cast<int>(a.desc.format.levels.size()) == order && static_cast<int>(a.desc.format.order.size()) == order,
        "sparse formats are full");
    require(static_cast<int>(a.desc.nodes.size()) == order, "sparse descriptors have nodes");
    require(distinct(a.desc.format.order), "a mode order is a permutation");
  } else {
    require(distinct(a.labels), "dense accesses have distinct labels");
    require(a.desc.strides.size() == a.labels.size(), "dense accesses have strides");
  }
}

// Follows lowering: what is located or iterated at each depth.
struct Descent {
  int first_skip = 0;
};

Descent descend(const Step& step) {
  const int depth = static_cast<int>(step.loops.size());
  Descent found{depth};
  std::vector<std::size_t> next(step.inputs.size(), 0);
  std::set<int> bound;
  const auto level_label = [&](std::size_t i) {
    const TensorDesc& d = step.inputs[i].desc;
    if (!d.sparse || next[i] == d.format.levels.size()) return -1;
    return step.inputs[i].labels[static_cast<std::size_t>(d.format.order[next[i]])];
  };
  const auto dense_level = [&](std::size_t i) { return step.inputs[i].desc.format.levels[next[i]] == Level::dense; };
  for (int d = 0; d < depth; ++d) {
    const Loop& loop = step.loops[static_cast<std::size_t>(d)];
    std::set<int> sparse_here, followers;
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      if (level_label(i) != loop.label) continue;
      if (!dense_level(i)) sparse_here.insert(static_cast<int>(i));
      ++next[i];
    }
    for (const Loop::Follower& f : loop.followers) {
      require(followers.insert(f.input).second, "a follower is named once");
    }
    if (sparse_here.empty()) {
      require(loop.leader == -1 && followers.empty(), "no leader without a sparse level");
    } else {
      require(sparse_here.count(loop.leader) == 1, "the leader has a sparse level at the loop");
      sparse_here.erase(loop.leader);
      require(sparse_here == followers, "the other sparse levels follow");
      found.first_skip = std::min(found.first_skip, d);
    }
    bound.insert(loop.label);
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      while (level_label(i) >= 0 && bound.count(level_label(i))) {
        if (!dense_level(i)) found.first_skip = std::min(found.first_skip, d);
        ++next[i];
      }
    }
  }
  for (std::size_t i = 0; i < step.inputs.size(); ++i) require(level_label(i) == -1, "every level is resolved");
  return found;
}

void check_sparse_output(const Step& step, const std::vector<int>& loops) {
  const Access& out = step.output;
  require(!step.accumulates, "a sparse result has no beta");
  require(out.desc.dtype == step.compute, "sparse rows have the compute type");
  std::vector<int> levels;
  for (const int m : out.desc.format.order) levels.push_back(out.labels[static_cast<std::size_t>(m)]);
  std::size_t prefix = 0;
  while (prefix < levels.size() && prefix < loops.size() && levels[prefix] == loops[prefix]) ++prefix;
  const auto span = static_cast<std::size_t>(step.workspace);
  switch (step.accumulate) {
    case Accumulate::append:
      require(distinct(levels) && prefix == levels.size(), "append needs the output labels outermost and in order");
      break;
    case Accumulate::workspace: {
      require(distinct(levels), "a workspace needs distinct labels");
      require(span <= levels.size() && levels.size() - span <= prefix,
              "the levels above a workspace are bound first, in order");
      double cells = 1;
      for (std::size_t l = levels.size() - span; l < levels.size(); ++l) {
        cells *= static_cast<double>(step.extents[static_cast<std::size_t>(levels[l])]);
      }
      require(cells <= 4.3e6, "a workspace is small");
      break;
    }
    case Accumulate::append_unsorted:
      break;
    default:
      require(false, "a sparse result is appended");
  }
  if (step.chunks > 1 && step.accumulate != Accumulate::append_unsorted) {
    require(!levels.empty() && loops[0] == levels[0] &&
                !(step.accumulate == Accumulate::workspace && span == levels.size()),
            "parallel chunks in order need the first output level outermost");
  }
}

void check_dense_output(const Step& step, const std::vector<int>& loops, int first_skip) {
  const Access& out = step.output;
  int last_output = -1, first_sum = static_cast<int>(loops.size());
  for (int d = 0; d < static_cast<int>(loops.size()); ++d) {
    if (has(out.labels, loops[static_cast<std::size_t>(d)])) {
      last_output = d;
    } else {
      first_sum = std::min(first_sum, d);
    }
  }
  double covered = 1, whole = 1;
  for (const std::int64_t e : out.desc.extents) covered *= static_cast<double>(e);
  for (const std::int64_t e : step.whole_output.extents) whole *= static_cast<double>(e);
  require(step.whole_output.dtype == out.desc.dtype, "whole_output has the stored type");
  require(whole >= covered, "whole_output covers the output");
  const bool outer_output = !loops.empty() && has(out.labels, loops[0]);
  switch (step.accumulate) {
    case Accumulate::direct:
      require(last_output < first_sum, "direct: sums lie inside the output loops");
      require(first_skip > last_output, "direct: no output element may be skipped");
      require(covered == whole, "direct: the whole output is written");
      require(step.chunks == 1 || outer_output, "direct: parallel over an output label");
      break;
    case Accumulate::in_place:
      require(out.desc.dtype == step.compute, "in_place: the stored type is the compute type");
      require(step.chunks == 1 || outer_output, "in_place: parallel over an output label");
      break;
    case Accumulate::partial:
      require(!loops.empty() && !outer_output, "partial: the outermost loop is a sum");
      require(step.chunks >= 2, "partial: at least two chunks");
      require(covered == whole, "partial: the whole output is merged");
      break;
    default:
      require(false, "a dense result is not appended");
  }
}

void check_loops(const Step& step) {
  std::vector<int> loops;
  for (const Loop& loop : step.loops) loops.push_back(loop.label);
  require(distinct(loops) && loops.size() == step.extents.size(), "every step label is looped over once");
  for (std::size_t d = 0; d < loops.size(); ++d)
    require(loops[d] == static_cast<int>(d), "labels are numbered by loop");
  const Descent found = descend(step);
  require(step.chunks >= 1, "at least one chunk");
  require(step.chunks == 1 || !loops.empty(), "chunks need a loop");
  if (step.output.desc.sparse) {
    check_sparse_output(step, loops);
  } else {
    check_dense_output(step, loops, found.first_skip);
  }
}

void check_gett(const Step& step, const Target& target) {
  const Gett& g = step.gett;
  require(
      step.inputs.size() == 2 && !step.inputs[0].desc.sparse && !step.inputs[1].desc.sparse && !step.output.desc.sparse,
      "gett: dense tensors only");
  std::vector<int> all;
  const auto group = [&](const std::vector<int>& labels, bool a, bool b, bool c) {
    for (const int l : labels) {
      require(
          has(step.inputs[0].labels, l) == a && has(step.inputs[1].labels, l) == b && has(step.output.labels, l) == c,
          "gett: each label is where its role says");
      all.push_back(l);
    }
  };
  group(g.batch, true, true, true);
  group(g.m, true, false, true);
  group(g.n, false, true, true);
  group(g.k, true, true, false);
  for (std::size_t l = 0; l < all.size(); ++l)
    require(all[l] == static_cast<int>(l), "gett: labels are numbered by role");
  require(all.size() == step.extents.size(), "gett: every label has a role");
  const int lanes = std::max(1, target.vector_bytes / static_cast<int>(size_of(real_of(step.compute))));
  require(g.mr >= 1 && g.nr >= 1 && g.nr % lanes == 0, "gett: nr is a multiple of the vector length");
  require(g.mc >= g.mr && g.mc % g.mr == 0 && g.nc >= g.nr && g.nc % g.nr == 0 && g.kc >= 1,
          "gett: cache tiles hold register tiles");
  require(g.mr * g.nr / lanes * (is_complex(step.compute) ? 2 : 1) <= target.vector_registers - 3,
          "gett: accumulators fit the registers");
  double covered = 1, whole = 1;
  for (const std::int64_t e : step.output.desc.extents) covered *= static_cast<double>(e);
  for (const std::int64_t e : step.whole_output.extents) whole *= static_cast<double>(e);
  require(covered == whole, "gett: the whole output is written");
}

void check_step(const Plan& plan, std::size_t s, const Target& target) {
  const Step& step = plan.steps[s];
  require(step.label_ids.size() == step.extents.size() && step.label_names.size() == step.extents.size(),
          "labels have names");
  const bool primitive = step.strategy == Strategy::realign || step.strategy == Strategy::sparsify;
  for (const Access& a : step.inputs) check_access(step, a, !primitive);
  check_access(step, step.output, !primitive);
  require(!step.inputs.empty() && step.inputs.size() <= 64, "a step has inputs");
  for (const Access& a : step.inputs) require(a.tensor.kind != Ref::Kind::output, "the output is not read");
  switch (step.strategy) {
    case Strategy::loops:
      check_loops(step);
      break;
    case Strategy::gett:
      check_gett(step, target);
      break;
    case Strategy::realign:
      require(step.inputs.size() == 1 && step.inputs[0].desc.sparse && step.output.desc.sparse,
              "realign: sparse to sparse");
      require(step.inputs[0].labels == step.output.labels && step.inputs[0].desc.extents == step.output.desc.extents,
              "realign keeps modes");
      require(step.output.tensor.kind == Ref::Kind::temp, "realign: into a temporary");
      require(step.output.desc.dtype == step.inputs[0].desc.dtype, "realign keeps the type");
      break;
    case Strategy::sparsify:
      require(step.inputs.size() == 1 && !step.inputs[0].desc.sparse && step.output.desc.sparse,
              "sparsify: dense to sparse");
      require(step.inputs[0].labels == step.output.labels && step.inputs[0].desc.extents == step.output.desc.extents,
              "sparsify keeps modes");
      require(!step.scaled && !step.accumulates, "sparsify has no epilogue");
      require(step.inputs[0].desc.dtype == step.output.desc.dtype, "sparsify keeps the type");
      break;
  }
}

void check_temps(const Plan& plan) {
  std::vector<std::size_t> first(plan.temps.size(), SIZE_MAX), last(plan.temps.size(), 0);
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    for (const Access& a : step.inputs) {
      if (a.tensor.kind != Ref::Kind::temp) continue;
      const auto t = static_cast<std::size_t>(a.tensor.index);
      require(t < plan.temps.size() && (first[t] < s), "a temporary is written before it is read");
      require(a.desc.sparse == plan.temps[t].desc.sparse && a.desc.dtype == plan.temps[t].desc.dtype,
              "a temporary is read as it is");
      require(!a.desc.sparse || a.desc == plan.temps[t].desc, "a sparse temporary is read as it is stored");
      last[t] = s;
    }
    if (step.output.tensor.kind != Ref::Kind::temp) continue;
    const auto t = static_cast<std::size_t>(step.output.tensor.index);
    require(t < plan.temps.size() && first[t] == SIZE_MAX, "a temporary is written once");
    require(!step.output.desc.sparse || step.output.desc == plan.temps[t].desc,
            "a sparse temporary is written as it is stored");
    first[t] = s;
    last[t] = std::max(last[t], s);
  }
  for (std::size_t t = 0; t < plan.temps.size(); ++t) {
    require(first[t] != SIZE_MAX && last[t] > first[t], "every temporary is used");
    if (plan.temps[t].desc.sparse) continue;
    const Temp& a = plan.temps[t];
    require(a.offset >= 0 && a.offset % 64 == 0 && a.offset + a.bytes <= plan.workspace_bytes,
            "temporaries lie in the workspace");
    require(a.bytes >= a.desc.size() * static_cast<std::int64_t>(size_of(a.desc.dtype)), "a temporary has its bytes");
    for (std::size_t o = 0; o < t; ++o) {
      const Temp& b = plan.temps[o];
      bool together = first[t] <= last[o] && first[o] <= last[t];
      for (const std::size_t x : {t, o}) {
        // What enters or gathers over a repeated body lives through it.
        const bool through = !plan.sliced.empty() && (static_cast<int>(x) == plan.zeroed_temp ||
                                                      (first[x] < plan.body_begin && last[x] >= plan.body_begin));
        const std::size_t y = x == t ? o : t;
        together = together || (through && last[y] >= plan.body_begin && first[y] < plan.body_end);
      }
      const bool apart = a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
      require(b.desc.sparse || !together || apart, "temporaries alive together do not overlap");
    }
  }
}

}  // namespace

std::string check_plan(const Plan& plan, const Contraction& contraction, const PlanOptions& options,
                       const Target& target) {
  std::size_t s = 0;
  try {
    require(!plan.steps.empty(), "a plan has steps");
    for (; s < plan.steps.size(); ++s) check_step(plan, s, target);
    s = plan.steps.size();
    check_temps(plan);
    int writers = 0, scalings = 0, accumulations = 0;
    for (const Step& step : plan.steps) {
      const bool out = step.output.tensor.kind == Ref::Kind::output;
      writers += out;
      scalings += step.scaled;
      accumulations += step.accumulates && out;
      require(out || !step.accumulates || (plan.zeroed_temp >= 0 && step.output.tensor.index == plan.zeroed_temp),
              "beta is the output's");
    }
    require(writers == 1 && plan.steps.back().output.tensor.kind == Ref::Kind::output,
            "the last step alone writes the output");
    require(scalings == options.scaled, "alpha is applied once");
    require(accumulations == options.accumulates, "beta is applied once");
    require(plan.body_begin <= plan.body_end && plan.body_end <= plan.steps.size(), "the body is a range of steps");
    require(options.memory_limit == 0 || plan.peak_bytes <= options.memory_limit, "the memory limit is kept");
    require(plan.output.extents == contraction.output_extents(), "the output has its shape");
    for (const int l : plan.sliced) {
      for (std::size_t i = 0; i < contraction.inputs.size(); ++i) {
        require(!has(contraction.inputs[i], l) || !contraction.operands[i].sparse,
                "only labels of dense operands are sliced");
      }
    }
  } catch (const Broken& broken) {
    return fmt::format("step {}: {}", s, broken.rule);
  }
  return {};
}

}  // namespace einloom
