// Exact dynamic programming over subsets of the operands. Sizes are doubles, so nothing overflows.
#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "path_cost.h"

namespace einloom {

namespace {

constexpr std::size_t most_operands = 12, most_classes = 64;

// Labels that occur in exactly the same places count as one class.
struct Classes {
  std::vector<double> extents;
  std::vector<std::uint64_t> operands;  // classes of each operand
  std::uint64_t output = 0;
};

bool classify(const Problem& problem, Classes& classes) {
  const Contraction& c = problem.contraction;
  std::map<std::uint32_t, double> groups;  // by operands as bits, and bit 31 the output
  std::vector<std::uint32_t> places(c.extents.size(), 0);
  for (std::size_t i = 0; i < problem.operands.size(); ++i) {
    for (const int l : problem.operands[i].labels) places[static_cast<std::size_t>(l)] |= 1u << i;
  }
  for (const int l : c.output) places[static_cast<std::size_t>(l)] |= 1u << 31;
  for (std::size_t l = 0; l < places.size(); ++l) {
    if (c.extents[l] == 1 || (places[l] & ~(1u << 31)) == 0) continue;
    const auto [at, fresh] = groups.try_emplace(places[l], 1.0);
    at->second *= static_cast<double>(c.extents[l]);
  }
  if (groups.size() > most_classes) return false;
  classes.operands.assign(problem.operands.size(), 0);
  for (const auto& [where, extent] : groups) {
    const std::uint64_t bit = std::uint64_t{1} << classes.extents.size();
    classes.extents.push_back(extent);
    for (std::size_t i = 0; i < classes.operands.size(); ++i) {
      if (where >> i & 1) classes.operands[i] |= bit;
    }
    if (where >> 31) classes.output |= bit;
  }
  return true;
}

// Products of extents over a set of classes, a byte of the set at a time.
class Products {
 public:
  explicit Products(const std::vector<double>& extents) {
    for (std::size_t byte = 0; byte < 8; ++byte) {
      for (std::size_t set = 0; set < 256; ++set) {
        double product = 1;
        for (std::size_t bit = 0; bit < 8; ++bit) {
          if (set >> bit & 1 && byte * 8 + bit < extents.size()) product *= extents[byte * 8 + bit];
        }
        table_[byte][set] = product;
      }
    }
    bytes_ = (extents.size() + 7) / 8;
  }
  double of(std::uint64_t set) const {
    double product = 1;
    for (std::size_t byte = 0; byte < bytes_; ++byte) product *= table_[byte][set >> (8 * byte) & 255];
    return product;
  }

 private:
  std::array<std::array<double, 256>, 8> table_;
  std::size_t bytes_ = 0;
};

struct Subset {
  std::uint64_t labels = 0;  // of its result
  double stored = 0, density = 1, cost = 0;
  std::uint32_t left = 0;  // the best split
};

int extract(const std::vector<Subset>& best, std::uint32_t set, std::size_t operands, Path& path) {
  if (std::has_single_bit(set)) return std::countr_zero(set);
  const std::uint32_t left = best[set].left;
  int a = extract(best, left, operands, path), b = extract(best, set & ~left, operands, path);
  if (a > b) std::swap(a, b);
  path.steps.push_back({a, b});
  return static_cast<int>(operands + path.steps.size()) - 1;
}

}  // namespace

Path optimal_path(const Problem& problem) {
  const std::size_t n = problem.operands.size();
  Classes classes;
  if (n > most_operands || !classify(problem, classes)) return greedy_path(problem);
  const PathCost cost(problem);
  const Products products(classes.extents);
  const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << n) - 1);
  std::vector<Subset> best(std::size_t{all} + 1);
  for (std::uint32_t set = 1; set <= all; ++set) {
    Subset& s = best[set];
    std::uint64_t inside = 0, outside = classes.output;
    double terms = 1;
    for (std::size_t i = 0; i < n; ++i) {
      (set >> i & 1 ? inside : outside) |= classes.operands[i];
      if (set >> i & 1) terms *= density(problem.operands[i].desc);
    }
    const bool single = std::has_single_bit(set);
    // Labels that one operand alone has are summed early.
    s.labels = inside & outside;
    const double cells = products.of(s.labels);
    if (single) {
      const double whole = products.of(inside) * terms;
      s.stored = expected_distinct(cells, whole);
      s.density = cells > 0 ? s.stored / cells : 1;
      if (s.labels == inside) {
        s.stored = whole, s.density = terms;
      } else if (n > 1) {
        s.cost = cost.seconds(whole / 2, whole);
        if (terms == 1) s.stored = cells, s.density = 1;
      }
      continue;
    }
    s.stored = terms == 1 ? cells : expected_distinct(cells, terms * products.of(inside));
    s.density = cells > 0 ? s.stored / cells : 1;
    // Splits that keep the lowest operand on the left, so that each is seen once.
    const std::uint32_t lowest = set & (~set + 1), rest = set & ~lowest;
    bool first = true;
    for (std::uint32_t part = rest;; part = (part - 1) & rest) {
      const std::uint32_t left = lowest | part, right = set & ~left;
      if (right != 0) {
        const Subset &a = best[left], &b = best[right];
        const double before = a.cost + b.cost;
        if (first || before < s.cost) {
          const double leaves = products.of(a.labels | b.labels) * a.density * b.density;
          const double total = before + cost.seconds(leaves, a.stored + b.stored + s.stored);
          if (first || total < s.cost) s.cost = total, s.left = left, first = false;
        }
      }
      if (part == 0) break;
    }
  }
  Path path;
  path.method = "optimal";
  if (n == 1) {
    path.steps.push_back({0});
  } else {
    extract(best, all, n, path);
  }
  return path;
}

}  // namespace einloom
