#include "nest_model.h"

#include <algorithm>
#include <cmath>

namespace einloom {

namespace {

constexpr double loop_ns = 1.0, range_ns = 0.4, search_ns = 2.0, miss_ns = 2.5;

double log2_of(double fan) { return std::log2(std::max(fan, 1.0) + 1); }

// How a follower finds the leader's coordinates in a fiber, and the cost a coordinate.
Search search_for(double leader, double follower, double* cost) {
  const double ratio = follower / std::max(leader, 1e-9);
  if (leader < 2 || follower < 2) return *cost = search_ns * log2_of(follower), Search::binary;
  if (ratio > 8) return *cost = search_ns * (1 + log2_of(ratio)), Search::gallop;
  return *cost = 0.7 * (1 + ratio), Search::linear;
}

}  // namespace

NestModel::NestModel(const Local& local, const Problem& problem) : local_(local), problem_(problem) {
  in_output_.assign(local.ids.size(), false);
  for (const int l : local.output.labels) in_output_[static_cast<std::size_t>(l)] = true;
  position_.resize(local.ids.size());
  for (std::size_t i = 0; i < local.inputs.size(); ++i) {
    bytes_ += bytes_of(local.inputs[i].desc);
    if (!local.inputs[i].desc.sparse) continue;
    Sparse sparse;
    sparse.input = i;
    sparse_.push_back(sparse);
  }
  if (!local.output.desc.sparse) out_bytes_ = bytes_of(local.output.desc);
  const bool sums = std::find(in_output_.begin(), in_output_.end(), false) != in_output_.end();
  flops_leaf_ = std::max(1.0, flops_per_leaf(local.inputs.size(), sums, local.compute));
}

bool NestModel::discordant(std::size_t input, const std::vector<int>& order) const {
  const Access& access = local_.inputs[input];
  if (!access.desc.sparse) return false;
  std::vector<int> at(order.size());
  for (std::size_t d = 0; d < order.size(); ++d) at[static_cast<std::size_t>(order[d])] = static_cast<int>(d);
  int last = -1;
  for (const int mode : access.desc.format.order) {
    const int here = at[static_cast<std::size_t>(access.labels[static_cast<std::size_t>(mode)])];
    if (here < last) return true;
    last = here;
  }
  return false;
}

std::vector<int> NestModel::aligned_modes(std::size_t input, const std::vector<int>& order) const {
  const Access& access = local_.inputs[input];
  std::vector<int> modes = access.desc.format.order;
  std::vector<int> at(order.size());
  for (std::size_t d = 0; d < order.size(); ++d) at[static_cast<std::size_t>(order[d])] = static_cast<int>(d);
  const auto key = [&](int mode) {
    return at[static_cast<std::size_t>(access.labels[static_cast<std::size_t>(mode)])];
  };
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return key(a) < key(b); });
  return modes;
}

std::vector<NestModel::Level> NestModel::levels_of(std::size_t input, bool realign,
                                                   const std::vector<int>& order) const {
  const Access& access = local_.inputs[input];
  const std::vector<int> modes = realign ? aligned_modes(input, order) : access.desc.format.order;
  const std::vector<double> nodes = realign ? trie_nodes(access.desc, modes) : trie_nodes(access.desc);
  std::vector<Level> levels(modes.size());
  double parent = 1;
  for (std::size_t l = 0; l < modes.size(); ++l) {
    const auto mode = static_cast<std::size_t>(modes[l]);
    levels[l].label = access.labels[mode];
    levels[l].dense = !realign && access.desc.format.levels[l] == einloom::Level::dense;
    levels[l].fan = parent > 0 ? nodes[l] / parent : 0;
    const double extent = static_cast<double>(access.desc.extents[mode]);
    levels[l].chance = extent > 0 ? std::min(1.0, levels[l].fan / extent) : 0;
    parent = nodes[l];
  }
  return levels;
}

NestModel::Walk NestModel::walk(const std::vector<int>& order, const std::vector<bool>& realign, Nest* nest) {
  Walk found;
  const int depth = static_cast<int>(order.size());
  for (Sparse& s : sparse_) {
    const bool anew = realign[s.input];
    if (anew) found.setup += realign_seconds(local_.inputs[s.input].desc, problem_.target) * 1e9;
    s.levels = levels_of(s.input, anew, order);
    s.next = 0;
  }
  for (std::size_t d = 0; d < order.size(); ++d) position_[static_cast<std::size_t>(order[d])] = static_cast<int>(d);
  found.first_summed = found.first_skip = depth;
  double tuples = 1;
  for (int d = 0; d < depth; ++d) {
    const int label = order[static_cast<std::size_t>(d)];
    const auto l = static_cast<std::size_t>(label);
    if (in_output_[l]) {
      found.last_output = d;
    } else {
      found.first_summed = std::min(found.first_summed, d);
    }
    const Sparse* leader = nullptr;
    for (const Sparse& s : sparse_) {
      if (s.next == s.levels.size() || s.levels[s.next].label != label || s.levels[s.next].dense) continue;
      if (!leader || s.levels[s.next].fan < leader->levels[leader->next].fan) leader = &s;
    }
    Loop loop;
    loop.label = label;
    const double fan = leader ? leader->levels[leader->next].fan : static_cast<double>(local_.extents[l]);
    double iterations = tuples * fan, search = 0, chance = 1;
    if (leader) loop.leader = static_cast<int>(leader->input);
    if (leader) found.first_skip = std::min(found.first_skip, d);
    for (Sparse& s : sparse_) {
      if (s.next == s.levels.size() || s.levels[s.next].label != label) continue;
      const Level& level = s.levels[s.next++];
      if (level.dense || &s == leader) continue;
      double cost = 0;
      loop.followers.push_back({static_cast<int>(s.input), search_for(fan, level.fan, &cost)});
      search += cost;
      chance *= level.chance;
    }
    if (d == 0) found.outer_count = fan;
    const bool last = d + 1 == depth;
    const double step = last ? inner_cost(order, leader != nullptr) : leader ? loop_ns + miss_ns / 2 : range_ns;
    found.nanoseconds += tuples * loop_ns + iterations * (step + search);
    tuples = iterations * chance;
    for (Sparse& s : sparse_) {
      while (s.next < s.levels.size() && position_[static_cast<std::size_t>(s.levels[s.next].label)] <= d) {
        const Level& level = s.levels[s.next++];
        if (level.dense) continue;
        found.nanoseconds += tuples * (search_ns * log2_of(level.fan) + miss_ns);
        found.first_skip = std::min(found.first_skip, d);
        tuples *= level.chance;
      }
    }
    if (nest) nest->loops.push_back(std::move(loop));
  }
  found.leaves = tuples;
  return found;
}

// Nanoseconds an iteration of the innermost loop.
double NestModel::inner_cost(const std::vector<int>& order, bool led) const {
  const int inner = order.back();
  const int next = order.size() > 1 ? order[order.size() - 2] : -1;
  const double inner_extent = static_cast<double>(local_.extents[static_cast<std::size_t>(inner)]);
  bool vector = !led && !is_complex(local_.compute);
  double cost = 0;
  const auto stride_of = [](const Access& a, int label) -> std::int64_t {
    for (std::size_t m = 0; m < a.labels.size(); ++m) {
      if (a.labels[m] == label) return std::abs(a.desc.strides[m]);
    }
    return 0;
  };
  const auto add = [&](const Access& a, bool output) {
    if (a.desc.sparse) {
      if (output) cost += 3, vector = false;
      return;
    }
    const std::int64_t stride = stride_of(a, inner);
    if (stride <= 1) {
      cost += stride == 1 ? (output ? 0.2 : 0.1) * static_cast<double>(size_of(a.desc.dtype)) / 8 : 0;
      return;
    }
    vector = false;
    // A strided walk touches a line an element, unless the next loop soon comes back to the same lines.
    const bool reused =
        next >= 0 && stride_of(a, next) == 1 && inner_extent * 64 <= static_cast<double>(problem_.target.l1) / 2;
    const bool small = bytes_of(a.desc) <= static_cast<double>(problem_.target.l2) / 2;
    cost += (small || reused ? 0.5 : miss_ns) * (output ? 1.5 : 1);
  };
  for (const Access& a : local_.inputs) add(a, false);
  add(local_.output, true);
  const double work = flops_leaf_ * (vector ? 0.25 * 8 / problem_.target.vector_bytes : led ? 0.5 : 0.4);
  return cost + work + (led ? 1.0 : vector ? 0.02 : 0.2);
}

void NestModel::decide_sparse(const std::vector<int>& order, const Walk& walk, Nest& nest, double& extra) const {
  std::vector<int> levels;
  if (local_.free_order) {
    for (const int l : order) {
      if (in_output_[static_cast<std::size_t>(l)]) levels.push_back(l);
    }
  } else {
    for (const int mode : local_.output.desc.format.order) {
      levels.push_back(local_.output.labels[static_cast<std::size_t>(mode)]);
    }
  }
  std::size_t prefix = 0;
  while (prefix < levels.size() && prefix < order.size() && levels[prefix] == order[prefix]) ++prefix;
  double cells = 1;
  for (std::size_t l = prefix; l < levels.size(); ++l) {
    cells *= static_cast<double>(local_.extents[static_cast<std::size_t>(levels[l])]);
  }
  const double out_cells = cells_of(local_.output.desc.extents);
  nest.rows = expected_distinct(out_cells, walk.leaves);
  if (!local_.diagonal && prefix == levels.size()) {
    nest.accumulate = Accumulate::append;
  } else if (!local_.diagonal && cells <= static_cast<double>(1 << 22)) {
    nest.accumulate = Accumulate::workspace;
    nest.workspace = static_cast<int>(levels.size() - prefix);
    // Flushing looks at the workspace's occupancy once a prefix, and sorts what it finds.
    extra +=
        (out_cells > 0 ? expected_distinct(out_cells / std::max(cells, 1.0), walk.leaves) : 0) * (20 + cells / 512);
    extra += nest.rows * 6 + cells * 0.1 * nest.chunks / std::min(problem_.target.units, nest.chunks);
  } else {
    nest.accumulate = Accumulate::append_unsorted;
    extra += walk.leaves * (40 + (walk.leaves * 24 > 1e9 ? 200 : 0));
  }
  if (nest.accumulate != Accumulate::append_unsorted && prefix == 0) nest.chunks = 1;
}

void NestModel::decide_dense(const std::vector<int>& order, const Walk& walk, Nest& nest, double& extra) const {
  const Access& out = local_.output;
  const bool ordered = walk.last_output < walk.first_summed;
  const bool outer_output = !order.empty() && in_output_[static_cast<std::size_t>(order[0])];
  // A skip below the last output loop only shortens a sum; one above it would leave elements unwritten.
  const bool complete = ordered && walk.first_skip > walk.last_output && !local_.diagonal;
  nest.accumulate = complete ? Accumulate::direct : Accumulate::in_place;
  const double copy = 2 * bytes_of(local_.whole_output) / problem_.target.bytes_per_second * 1e9;
  const auto copies = std::min<std::int64_t>(std::max(2, problem_.target.units * 4), 32);
  const double copies_bytes =
      static_cast<double>(copies) * cells_of(out.desc.extents) * static_cast<double>(size_of(local_.compute));
  if (!outer_output && nest.chunks > 1) {
    const double limit =
        problem_.options.memory_limit > 0 ? static_cast<double>(problem_.options.memory_limit) / 4 : 64.0 * (1 << 20);
    if (!local_.diagonal && copies_bytes <= std::min(limit, bytes_ + 4096)) {
      nest.accumulate = Accumulate::partial;
      nest.chunks = static_cast<int>(copies);
      extra += copies_bytes * 0.3;
      return;
    }
    nest.chunks = 1;
  }
  if (nest.accumulate == Accumulate::in_place) {
    extra += bytes_of(local_.whole_output) * 0.05;
    if (out.desc.dtype != local_.compute) nest.through_temp = true, extra += copy + 200;
  }
}

void NestModel::finish(const std::vector<int>& order, const Walk& walk, Nest& nest) const {
  constexpr double parallel_ns = 50e3;
  const int units = problem_.target.units;
  nest.chunks = 1;
  if (units > 1 && walk.nanoseconds > parallel_ns) {
    nest.chunks = static_cast<int>(std::clamp(walk.outer_count, 1.0, 8.0 * units));
  }
  double extra = walk.setup;
  if (local_.output.desc.sparse) {
    decide_sparse(order, walk, nest, extra);
  } else {
    decide_dense(order, walk, nest, extra);
    nest.rows = cells_of(local_.output.desc.extents);
  }
  nest.leaves = walk.leaves;
  nest.bytes = bytes_ + (local_.output.desc.sparse ? nest.rows * 24 : out_bytes_);
  const double nanoseconds = walk.nanoseconds / std::min(units, nest.chunks) + extra;
  const double computing = nanoseconds * 1e-9, moving = nest.bytes / problem_.target.bytes_per_second;
  // A little of the smaller one counts too, so that equals at memory speed are still told apart.
  nest.seconds = std::max(computing, moving) + 0.1 * std::min(computing, moving);
}

double NestModel::seconds(const std::vector<int>& order, const std::vector<bool>& realign) {
  Nest nest;
  finish(order, walk(order, realign, nullptr), nest);
  return nest.seconds;
}

Nest NestModel::nest(const std::vector<int>& order, const std::vector<bool>& realign) {
  Nest nest;
  nest.order = order;
  const Walk found = walk(order, realign, &nest);
  finish(order, found, nest);
  nest.realigned.resize(local_.inputs.size());
  for (const Sparse& s : sparse_) {
    if (realign[s.input]) nest.realigned[s.input] = aligned_modes(s.input, order);
  }
  return nest;
}

}  // namespace einloom
