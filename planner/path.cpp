// What paths of every kind share: the labels of each step's result, and the text of a path.
#include <fmt/format.h>

#include <algorithm>

#include "build.h"

namespace einloom {

std::vector<std::vector<int>> result_labels(const Problem& problem, const Path& path) {
  const Contraction& c = problem.contraction;
  std::vector<int> holders(c.extents.size(), 0);
  std::vector<char> in_output(c.extents.size(), 0);
  for (const int l : c.output) in_output[static_cast<std::size_t>(l)] = 1;
  // Distinct labels of each live tensor; labels of extent 1 hold nothing together.
  std::vector<std::vector<int>> items;
  std::vector<char> seen(c.extents.size(), 0);
  const auto distinct = [&](const std::vector<const std::vector<int>*>& lists) {
    std::vector<int> labels;
    for (const std::vector<int>* list : lists) {
      for (const int l : *list) {
        if (seen[static_cast<std::size_t>(l)] || c.extents[static_cast<std::size_t>(l)] == 1) continue;
        seen[static_cast<std::size_t>(l)] = 1;
        labels.push_back(l);
      }
    }
    for (const int l : labels) seen[static_cast<std::size_t>(l)] = 0;
    return labels;
  };
  for (const Item& operand : problem.operands) {
    items.push_back(distinct({&operand.labels}));
    for (const int l : items.back()) ++holders[static_cast<std::size_t>(l)];
  }
  std::vector<std::vector<int>> results;
  for (const std::vector<int>& step : path.steps) {
    std::vector<const std::vector<int>*> lists;
    for (const int id : step) {
      lists.push_back(&items[static_cast<std::size_t>(id)]);
      for (const int l : *lists.back()) --holders[static_cast<std::size_t>(l)];
    }
    std::vector<int> labels = distinct(lists);
    std::erase_if(labels, [&](int l) {
      return holders[static_cast<std::size_t>(l)] == 0 && !in_output[static_cast<std::size_t>(l)];
    });
    for (const int l : labels) ++holders[static_cast<std::size_t>(l)];
    results.push_back(labels);
    items.push_back(std::move(labels));
  }
  if (!results.empty()) results.back() = c.output;
  return results;
}

std::string path_text(const Path& path, std::size_t operands) {
  std::vector<int> alive(operands);
  for (std::size_t i = 0; i < operands; ++i) alive[i] = static_cast<int>(i);
  std::string text;
  int next = static_cast<int>(operands);
  for (const std::vector<int>& step : path.steps) {
    std::vector<std::ptrdiff_t> positions;
    for (const int id : step) positions.push_back(std::lower_bound(alive.begin(), alive.end(), id) - alive.begin());
    std::sort(positions.begin(), positions.end());
    text += text.empty() ? "(" : ",(";
    text += fmt::format("{}{})", fmt::join(positions, ","), positions.size() == 1 ? "," : "");
    for (std::size_t p = positions.size(); p-- > 0;) alive.erase(alive.begin() + positions[p]);
    alive.push_back(next++);
  }
  return text;
}

}  // namespace einloom
