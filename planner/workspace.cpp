// Where dense temporaries lie: those never alive together share bytes.
#include <algorithm>
#include <numeric>

#include "build.h"
#include "frontend/error.h"

namespace einloom {

namespace {

struct Life {
  std::size_t first = SIZE_MAX, last = 0;
  bool meets(const Life& other) const { return first <= other.last && other.first <= last; }
};

std::vector<Life> lives_of(const Plan& plan) {
  std::vector<Life> lives(plan.temps.size());
  const auto touch = [&](const Ref& ref, std::size_t step) {
    if (ref.kind != Ref::Kind::temp) return;
    Life& life = lives[static_cast<std::size_t>(ref.index)];
    life.first = std::min(life.first, step);
    life.last = std::max(life.last, step);
  };
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    for (const Access& a : plan.steps[s].inputs) touch(a.tensor, s);
    touch(plan.steps[s].output.tensor, s);
  }
  if (plan.sliced.empty()) return lives;
  // The body repeats: what enters it or gathers over it lives through all of it.
  for (std::size_t t = 0; t < lives.size(); ++t) {
    Life& life = lives[t];
    const bool before = life.first < plan.body_begin && life.last >= plan.body_begin;
    if (before || static_cast<int>(t) == plan.zeroed_temp) {
      life.first = std::min(life.first, plan.body_begin);
      life.last = std::max(life.last, plan.body_end - 1);
    }
  }
  return lives;
}

}  // namespace

void place_temps(Plan& plan) {
  constexpr std::int64_t alignment = 64;
  const std::vector<Life> lives = lives_of(plan);
  std::vector<std::size_t> by_size;
  for (std::size_t t = 0; t < plan.temps.size(); ++t) {
    if (!plan.temps[t].desc.sparse) by_size.push_back(t);
  }
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return plan.temps[a].bytes > plan.temps[b].bytes; });
  plan.workspace_bytes = 0;
  std::vector<std::size_t> placed;  // by offset
  for (const std::size_t t : by_size) {
    Temp& temp = plan.temps[t];
    std::int64_t offset = 0;
    for (const std::size_t other : placed) {
      const Temp& there = plan.temps[other];
      if (!lives[t].meets(lives[other]) || there.offset + there.bytes <= offset) continue;
      if (offset + temp.bytes <= there.offset) break;
      offset = (there.offset + there.bytes + alignment - 1) / alignment * alignment;
      if (offset > (std::int64_t{1} << 62)) throw Error::memory("the intermediates together", ~0ULL);
    }
    temp.offset = offset;
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), t,
                         [&](std::size_t a, std::size_t b) { return plan.temps[a].offset < plan.temps[b].offset; }),
        t);
    plan.workspace_bytes = std::max(plan.workspace_bytes, checked_add(offset, temp.bytes, "the workspace"));
  }
  plan.workspace_bytes = (plan.workspace_bytes + alignment - 1) / alignment * alignment;
  // Sparse temporaries have memory of their own: the most that is alive at once.
  double most = 0;
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    double alive = 0;
    for (std::size_t t = 0; t < plan.temps.size(); ++t) {
      if (plan.temps[t].desc.sparse && lives[t].first <= s && s <= lives[t].last)
        alive += static_cast<double>(plan.temps[t].bytes);
    }
    most = std::max(most, alive);
  }
  const double peak = most + static_cast<double>(plan.workspace_bytes);
  plan.peak_bytes = peak >= 9e18 ? INT64_MAX : static_cast<std::int64_t>(peak);
}

}  // namespace einloom
