// Greedy paths with seeded restarts: the pair is taken whose result grows least over its inputs (opt_einsum, cotengra).
#include <algorithm>
#include <cmath>
#include <queue>
#include <random>

#include "path_cost.h"

namespace einloom {

namespace {

constexpr std::size_t neighbours_a_label = 12;
constexpr double most = 1e300;  // sizes stop here, so that no difference of them is undefined

struct Node {
  std::vector<int> labels;  // sorted, distinct
  double stored = 0, density = 1;
  bool alive = true;
};

struct Candidate {
  double cost;
  int a, b;
  bool operator<(const Candidate& o) const {  // the queue's top is its largest
    return cost != o.cost ? cost > o.cost : a != o.a ? a > o.a : b > o.b;
  }
};

class Greedy {
 public:
  // A sweep grows one tensor by its neighbours, which suits grids and chains; otherwise any pair may be next.
  Greedy(const Problem& problem, std::uint64_t seed, double temperature, bool sweep)
      : c_(problem.contraction), cost_(problem), random_(seed), temperature_(temperature), sweep_(sweep) {
    const std::size_t labels = c_.extents.size();
    holders_.resize(labels);
    in_output_.assign(labels, 0);
    for (const int l : c_.output) in_output_[static_cast<std::size_t>(l)] = 1;
    for (const Item& item : problem.operands) {
      Node node;
      for (const int l : item.labels) {
        if (c_.extents[static_cast<std::size_t>(l)] != 1) node.labels.push_back(l);
      }
      std::sort(node.labels.begin(), node.labels.end());
      node.labels.erase(std::unique(node.labels.begin(), node.labels.end()), node.labels.end());
      node.density = density(item.desc);
      node.stored = cells(node.labels) * node.density;
      add(std::move(node));
    }
    operands_ = nodes_.size();
  }

  // Gives up, and says so by a cost beyond `bound`, once the path costs more than that.
  double run(Path& path, double bound) {
    if (sweep_) {
      propose(by_size_.top().a, false);
    } else {
      for (std::size_t i = 0; i < operands_; ++i) propose(static_cast<int>(i), true);
    }
    std::size_t left = operands_;
    while (left > 1 && total_ <= bound) {
      Candidate next{};
      if (queue_.empty()) {
        next = disconnected();
      } else {
        next = queue_.top();
        queue_.pop();
        if (!node(next.a).alive || !node(next.b).alive) continue;
      }
      path.steps.push_back({std::min(next.a, next.b), std::max(next.a, next.b)});
      total_ += join(next.a, next.b);
      --left;
    }
    if (operands_ == 1) path.steps.push_back({0});
    return total_;
  }

 private:
  Node& node(int id) { return nodes_[static_cast<std::size_t>(id)]; }
  double cells(const std::vector<int>& labels) const {
    double cells = 1;
    for (const int l : labels)
      cells = std::min(most, cells * static_cast<double>(c_.extents[static_cast<std::size_t>(l)]));
    return cells;
  }
  void add(Node fresh) {
    for (const int l : fresh.labels) holders_[static_cast<std::size_t>(l)].push_back(static_cast<int>(nodes_.size()));
    by_size_.push({fresh.stored, static_cast<int>(nodes_.size()), 0});
    nodes_.push_back(std::move(fresh));
  }

  // The result of a and b, and the multiply-adds it takes.
  Node merged(const Node& a, const Node& b, double* leaves) const {
    Node out;
    double all = 1, kept = 1;
    std::size_t i = 0, j = 0;
    while (i < a.labels.size() || j < b.labels.size()) {
      int label = 0, held = 1;
      if (j == b.labels.size() || (i < a.labels.size() && a.labels[i] < b.labels[j])) {
        label = a.labels[i++];
      } else if (i == a.labels.size() || b.labels[j] < a.labels[i]) {
        label = b.labels[j++];
      } else {
        label = a.labels[i++], ++j, held = 2;
      }
      const auto l = static_cast<std::size_t>(label);
      const double extent = static_cast<double>(c_.extents[l]);
      all = std::min(most, all * extent);
      if (in_output_[l] || static_cast<int>(holders_[l].size()) > held) {
        out.labels.push_back(label);
        kept = std::min(most, kept * extent);
      }
    }
    *leaves = all * a.density * b.density;
    out.stored = a.density * b.density == 1 ? kept : expected_distinct(kept, *leaves);
    out.density = kept > 0 ? out.stored / kept : 1;
    return out;
  }

  void propose(int id, bool later_only) {
    std::vector<int> near;
    for (const int l : node(id).labels) {
      const std::vector<int>& holders = holders_[static_cast<std::size_t>(l)];
      std::size_t taken = 0;
      // A label of many tensors: only the next ones, so that the work stays linear.
      auto at = std::upper_bound(holders.begin(), holders.end(), id);
      if (!later_only && holders.size() <= 4 * neighbours_a_label) at = holders.begin();
      if (!later_only && at == holders.end()) at = holders.begin();
      for (; at != holders.end() && taken < neighbours_a_label; ++at, ++taken) {
        if (*at != id) near.push_back(*at);
      }
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const int other : near) {
      double leaves = 0;
      const Node &a = node(id), &b = node(other);
      const Node out = merged(a, b, &leaves);
      double cost = out.stored - (a.stored + b.stored);
      if (temperature_ > 0) {
        const double noise = -std::log(-std::log(std::uniform_real_distribution<double>(1e-12, 1.0 - 1e-12)(random_)));
        cost -= temperature_ * noise * (std::abs(cost) + 1);
      }
      queue_.push({cost, std::min(id, other), std::max(id, other)});
    }
  }

  // No two tensors share a label: the two smallest are multiplied.
  Candidate disconnected() {
    Candidate pair{};
    for (int* slot : {&pair.a, &pair.b}) {
      while (!node(by_size_.top().a).alive) by_size_.pop();
      *slot = by_size_.top().a;
      by_size_.pop();
    }
    return pair;
  }

  double join(int a, int b) {
    double leaves = 0;
    Node out = merged(node(a), node(b), &leaves);
    const double seconds = cost_.seconds(leaves, node(a).stored + node(b).stored + out.stored);
    for (const int id : {a, b}) {
      node(id).alive = false;
      for (const int l : node(id).labels) std::erase(holders_[static_cast<std::size_t>(l)], id);
    }
    add(std::move(out));
    if (sweep_) queue_ = {};
    propose(static_cast<int>(nodes_.size()) - 1, false);
    return seconds;
  }

  const Contraction& c_;
  PathCost cost_;
  std::mt19937_64 random_;
  double temperature_, total_ = 0;
  bool sweep_;
  std::vector<Node> nodes_;
  std::vector<std::vector<int>> holders_;  // live nodes of each label, ascending
  std::vector<char> in_output_;
  std::priority_queue<Candidate> queue_, by_size_;
  std::size_t operands_ = 0;
};

}  // namespace

Path greedy_path(const Problem& problem) {
  const std::size_t n = problem.operands.size();
  const int restarts = n <= 2 ? 1 : n <= 40 ? 32 : n <= 200 ? 12 : n <= 1000 ? 4 : 2;
  Path best;
  double least = 0;
  for (int r = 0; r < restarts; ++r) {
    Path path;
    path.method = "greedy";
    const double temperature = r < 2 ? 0.0 : 0.1 * (1 + r % 4);
    const double cost = Greedy(problem, 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(r), temperature, r == 1)
                            .run(path, r == 0 ? INFINITY : least);
    if (r == 0 || cost < least) best = std::move(path), least = cost;
  }
  return best;
}

}  // namespace einloom
