// From contraction labels to the labels of one step: extent-1 modes dropped, diagonals summed, co-moving modes folded.
#include <algorithm>
#include <map>

#include "build.h"

namespace einloom {

namespace {

// Numbers labels as they are met.
class Numbering {
 public:
  Numbering(Local& local, const Problem& problem) : local_(local), problem_(problem) {}
  int of(int label, std::int64_t extent) {
    const auto [at, fresh] = numbers_.try_emplace(label, static_cast<int>(local_.ids.size()));
    if (fresh) {
      local_.ids.push_back(label);
      local_.extents.push_back(extent);
      local_.names.push_back(label_name(problem_.contraction, label));
    }
    return at->second;
  }

 private:
  Local& local_;
  const Problem& problem_;
  std::map<int, int> numbers_;
};

Access access_of(const Item& item, Numbering& numbering) {
  Access access{item.tensor, {}, item.desc};
  if (item.desc.sparse) {
    for (std::size_t m = 0; m < item.labels.size(); ++m) {
      access.labels.push_back(numbering.of(item.labels[m], item.desc.extents[m]));
    }
    return access;
  }
  access.desc.extents.clear();
  access.desc.strides.clear();
  for (std::size_t m = 0; m < item.labels.size(); ++m) {
    if (item.desc.extents[m] == 1) continue;
    const int label = numbering.of(item.labels[m], item.desc.extents[m]);
    const auto seen = std::find(access.labels.begin(), access.labels.end(), label);
    if (seen != access.labels.end()) {
      std::int64_t& stride = access.desc.strides[static_cast<std::size_t>(seen - access.labels.begin())];
      stride = checked_add(stride, item.desc.strides[m], "the stride of a diagonal");
      continue;
    }
    access.labels.push_back(label);
    access.desc.extents.push_back(item.desc.extents[m]);
    access.desc.strides.push_back(item.desc.strides[m]);
  }
  return access;
}

std::size_t find(const Access& access, int label) {
  return static_cast<std::size_t>(std::find(access.labels.begin(), access.labels.end(), label) - access.labels.begin());
}

std::vector<Access*> all_accesses(Local& local) {
  std::vector<Access*> all;
  for (Access& a : local.inputs) all.push_back(&a);
  all.push_back(&local.output);
  return all;
}

// Whether `outer` runs directly around `inner` in every tensor that has either of them.
bool foldable(const std::vector<Access*>& all, int outer, int inner, std::int64_t extent) {
  for (const Access* a : all) {
    const std::size_t o = find(*a, outer), i = find(*a, inner);
    if (o == a->labels.size() && i == a->labels.size()) continue;
    if (o == a->labels.size() || i == a->labels.size() || a->desc.sparse) return false;
    std::int64_t span = 0;
    if (__builtin_mul_overflow(a->desc.strides[i], extent, &span) || span != a->desc.strides[o]) return false;
  }
  return true;
}

void merge(Local& local, const std::vector<Access*>& all, int outer, int inner, std::int64_t product) {
  for (Access* a : all) {
    const std::size_t o = find(*a, outer), i = find(*a, inner);
    if (o == a->labels.size()) continue;
    a->desc.extents[i] = product;
    const auto at = static_cast<std::ptrdiff_t>(o);
    a->labels.erase(a->labels.begin() + at);
    a->desc.extents.erase(a->desc.extents.begin() + at);
    a->desc.strides.erase(a->desc.strides.begin() + at);
  }
  const auto o = static_cast<std::size_t>(outer), i = static_cast<std::size_t>(inner);
  local.extents[i] = product;
  local.names[i] = local.names[o] + local.names[i];
  if (local.ids[i] >= 0) local.ids[i] = -1 - local.ids[i];
  local.extents.erase(local.extents.begin() + outer);
  local.names.erase(local.names.begin() + outer);
  local.ids.erase(local.ids.begin() + outer);
  for (Access* a : all) {
    for (int& label : a->labels) label -= label > outer;
  }
}

bool fold_once(Local& local) {
  const std::vector<Access*> all = all_accesses(local);
  // Only modes of one tensor can co-move, so pairs are taken from the tensors that have them.
  for (const Access* a : all) {
    if (a->desc.sparse) continue;
    for (std::size_t o = 0; o < a->labels.size(); ++o) {
      for (std::size_t i = 0; i < a->labels.size(); ++i) {
        std::int64_t span = 0, product = 0;
        if (o == i || a->desc.extents[i] == 0 || a->desc.extents[o] == 0 ||
            __builtin_mul_overflow(a->desc.strides[i], a->desc.extents[i], &span) || span != a->desc.strides[o] ||
            __builtin_mul_overflow(a->desc.extents[o], a->desc.extents[i], &product) ||
            !foldable(all, a->labels[o], a->labels[i], a->desc.extents[i])) {
          continue;
        }
        merge(local, all, a->labels[o], a->labels[i], product);
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::string label_name(const Contraction& contraction, int label) {
  const auto l = static_cast<std::size_t>(label);
  if (label >= 0 && l < contraction.names.size() && !contraction.names[l].empty()) return contraction.names[l];
  return "l" + std::to_string(label);
}

Local localise(const Problem& problem, const std::vector<Item>& inputs, const Item& output, bool free_order) {
  Local local;
  local.semiring = problem.contraction.semiring;
  local.compute = problem.contraction.compute;
  local.free_order = free_order;
  Numbering numbering(local, problem);
  for (const Item& item : inputs) local.inputs.push_back(access_of(item, numbering));
  local.output = access_of(output, numbering);
  local.whole_output = output.desc;
  std::vector<int> written;
  for (std::size_t m = 0; m < output.labels.size(); ++m) {
    if (output.desc.sparse || output.desc.extents[m] != 1) written.push_back(output.labels[m]);
  }
  std::sort(written.begin(), written.end());
  local.diagonal = std::adjacent_find(written.begin(), written.end()) != written.end();
  while (fold_once(local)) {
  }
  return local;
}

}  // namespace einloom
