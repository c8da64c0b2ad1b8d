// The order of a step's loops: every order is tried while there are few, otherwise hill climbing from good seeds.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "nest_model.h"

namespace einloom {

namespace {

constexpr std::size_t exhaustive_labels = 6;
constexpr int climb_budget = 1500;

class OrderSearch {
 public:
  OrderSearch(const Local& local, NestModel& model) : local_(local), model_(model), kept_(local.inputs.size(), false) {}

  void offer(const std::vector<int>& order) {
    ++tried_;
    take(order, kept_);
    std::vector<bool> anew = kept_;
    bool any = false;
    for (std::size_t i = 0; i < local_.inputs.size(); ++i) {
      if (model_.discordant(i, order)) anew[i] = any = true;
    }
    if (any) take(order, anew);
  }

  // Moves single labels while that helps.
  void climb() {
    for (bool better = true; better && tried_ < climb_budget;) {
      better = false;
      const std::vector<int> from = order_;
      const double before = seconds_;
      for (std::size_t i = 0; i < from.size() && tried_ < climb_budget; ++i) {
        for (std::size_t j = 0; j < from.size() && tried_ < climb_budget; ++j) {
          if (i == j) continue;
          std::vector<int> moved = from;
          moved.erase(moved.begin() + static_cast<std::ptrdiff_t>(i));
          moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(j), from[i]);
          offer(moved);
        }
      }
      better = seconds_ < before * (1 - 1e-9);
    }
  }

  Nest finish() {
    // One input after the other: is storing it anew still worth it?
    for (std::size_t i = 0; i < realign_.size(); ++i) {
      if (!realign_[i]) continue;
      std::vector<bool> without = realign_;
      without[i] = false;
      take(order_, without);
    }
    return model_.nest(order_, realign_);
  }

 private:
  void take(const std::vector<int>& order, const std::vector<bool>& realign) {
    const double seconds = model_.seconds(order, realign);
    if (found_ && !(seconds < seconds_ * (1 - 1e-9))) return;
    found_ = true;
    seconds_ = seconds;
    order_ = order;
    realign_ = realign;
  }

  const Local& local_;
  NestModel& model_;
  std::vector<bool> kept_, realign_;
  std::vector<int> order_;
  double seconds_ = 0;
  bool found_ = false;
  int tried_ = 0;
};

void append_missing(std::vector<int>& order, const std::vector<int>& more) {
  for (const int l : more) {
    if (std::find(order.begin(), order.end(), l) == order.end()) order.push_back(l);
  }
}

// Labels of an access, outermost in memory first.
std::vector<int> memory_order(const Access& access) {
  if (access.desc.sparse) {
    std::vector<int> labels;
    for (const int mode : access.desc.format.order) labels.push_back(access.labels[static_cast<std::size_t>(mode)]);
    return labels;
  }
  std::vector<std::size_t> modes(access.labels.size());
  std::iota(modes.begin(), modes.end(), std::size_t{0});
  const auto far = [&](std::size_t a, std::size_t b) {
    return std::abs(access.desc.strides[a]) > std::abs(access.desc.strides[b]);
  };
  std::stable_sort(modes.begin(), modes.end(), far);
  std::vector<int> labels;
  for (const std::size_t m : modes) labels.push_back(access.labels[m]);
  return labels;
}

std::vector<std::vector<int>> seeds(const Local& local) {
  std::vector<int> all(local.ids.size());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> out = memory_order(local.output);
  std::vector<std::vector<int>> seeds;
  const auto add = [&](std::vector<std::vector<int>> parts) {
    std::vector<int> order;
    for (const std::vector<int>& part : parts) append_missing(order, part);
    append_missing(order, all);
    seeds.push_back(order);
  };
  std::vector<std::vector<int>> sparse_then_out, dense;
  for (const Access& a : local.inputs) {
    (a.desc.sparse ? sparse_then_out : dense).push_back(memory_order(a));
  }
  const bool any_sparse = !sparse_then_out.empty();
  if (!any_sparse) {
    for (const std::vector<int>& d : dense) add({out, d});
    for (const std::vector<int>& d : dense) {
      add({d, out});
      // Sums outside, the output's unit stride innermost.
      if (out.empty()) continue;
      std::vector<int> order;
      append_missing(order, {out.begin(), out.end() - 1});
      for (const int l : all) {
        if (l != out.back() && std::find(order.begin(), order.end(), l) == order.end()) order.push_back(l);
      }
      order.push_back(out.back());
      seeds.push_back(order);
    }
    add({out});
    return seeds;
  }
  for (std::size_t i = 0; i < sparse_then_out.size(); ++i) {
    std::vector<std::vector<int>> parts{sparse_then_out[i]};
    for (std::size_t j = 0; j < sparse_then_out.size(); ++j) {
      if (j != i) parts.push_back(sparse_then_out[j]);
    }
    for (const std::vector<int>& d : dense) parts.push_back(d);
    add(parts);
    parts.insert(parts.begin() + 1, out);
    add(parts);
    parts.insert(parts.begin(), out);
    add(parts);
  }
  return seeds;
}

}  // namespace

Nest choose_loops(const Local& local, const Problem& problem) {
  NestModel model(local, problem);
  OrderSearch search(local, model);
  const std::vector<std::vector<int>> starts = seeds(local);
  for (const std::vector<int>& order : starts) search.offer(order);
  if (local.ids.size() <= exhaustive_labels) {
    std::vector<int> order(local.ids.size());
    std::iota(order.begin(), order.end(), 0);
    do search.offer(order);
    while (std::next_permutation(order.begin(), order.end()));
  } else {
    search.climb();
  }
  return search.finish();
}

}  // namespace einloom
