#include <algorithm>
#include <cmath>

#include "build.h"

namespace einloom {

double cells_of(const std::vector<std::int64_t>& extents) {
  double cells = 1;
  for (const std::int64_t e : extents) {
    if (e == 0) return 0;
    cells *= static_cast<double>(e);
  }
  return cells;
}

double expected_distinct(double cells, double draws) {
  if (!(draws > 0) || !(cells > 0)) return 0;
  if (std::isinf(cells)) return draws;
  return std::min({cells, draws, -cells * std::expm1(-draws / cells)});
}

double stored_values(const TensorDesc& desc) {
  if (desc.sparse && !desc.nodes.empty()) return static_cast<double>(desc.nodes.back());
  return cells_of(desc.extents);
}

double density(const TensorDesc& desc) {
  const double cells = cells_of(desc.extents);
  return desc.sparse && cells > 0 ? std::min(1.0, stored_values(desc) / cells) : 1.0;
}

double bytes_of(const TensorDesc& desc) {
  double bytes = stored_values(desc) * static_cast<double>(size_of(desc.dtype));
  if (!desc.sparse) return bytes;
  for (std::size_t l = 0; l < desc.nodes.size(); ++l) {
    const Level level = desc.format.levels[l];
    const double words = level == Level::dense ? 0 : level == Level::compressed ? 2 : 1;
    bytes += words * static_cast<double>(desc.nodes[l]) * (desc.wide ? 8 : 4);
  }
  return bytes;
}

std::vector<double> trie_nodes(const TensorDesc& desc) {
  const std::size_t count = desc.format.levels.size();
  std::vector<double> nodes(count);
  double above = 1;
  for (std::size_t l = 0; l < count;) {
    nodes[l] = static_cast<double>(desc.nodes[l]);
    std::size_t last = l;
    while (last + 1 < count && desc.format.levels[last + 1] == Level::singleton) ++last;
    double cells = above;
    for (std::size_t g = l; g < last; ++g) {
      cells *= static_cast<double>(desc.extents[static_cast<std::size_t>(desc.format.order[g])]);
      nodes[g] = expected_distinct(cells, static_cast<double>(desc.nodes[last]));
    }
    nodes[last] = static_cast<double>(desc.nodes[last]);
    above = nodes[last];
    l = last + 1;
  }
  return nodes;
}

std::vector<double> trie_nodes(const TensorDesc& desc, const std::vector<int>& order) {
  std::vector<double> nodes(order.size());
  double cells = 1;
  for (std::size_t l = 0; l < order.size(); ++l) {
    cells *= static_cast<double>(desc.extents[static_cast<std::size_t>(order[l])]);
    nodes[l] = l + 1 == order.size() ? stored_values(desc) : expected_distinct(cells, stored_values(desc));
  }
  return nodes;
}

double realign_seconds(const TensorDesc& desc, const Target& target) {
  return 1e-7 + 40e-9 * stored_values(desc) / std::clamp(target.units, 1, 4);
}

double flops_per_leaf(std::size_t inputs, bool sums, DType compute) {
  return (static_cast<double>(inputs) - 1 + (sums ? 1 : 0)) * (is_complex(compute) ? 4 : 1);
}

}  // namespace einloom
