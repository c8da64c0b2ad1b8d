// Sorting with equal keys combined under a semiring's reduction.
#include <algorithm>
#include <vector>

#include "runtime/elements.h"
#include "runtime/memory.h"
#include "runtime/parallel.h"
#include "runtime/sort.h"
#include "runtime/storage.h"

namespace einloom {

namespace {

using Word = std::uint64_t;

bool same_key(const Coo& coo, std::int64_t a, std::int64_t b) {
  for (const Bytes& keys : coo.keys) {
    if (as<Word>(keys)[a] != as<Word>(keys)[b]) return false;
  }
  return true;
}

// Reduces every run of equal keys to its first row, in order of appearance. Rows are sorted.
template <class T>
Coo combine(const Coo& coo, Semiring semiring) {
  const std::int64_t chunks = std::clamp<std::int64_t>(coo.count >> 15, 1, 256);
  const auto first_of = [&](std::int64_t c) { return coo.count / chunks * c + std::min(c, coo.count % chunks); };
  const auto starts_run = [&](std::int64_t i) { return i == 0 || !same_key(coo, i - 1, i); };
  std::vector<std::int64_t> runs(static_cast<std::size_t>(chunks) + 1, 0);
  parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      std::int64_t n = 0;
      for (std::int64_t i = first_of(c); i < first_of(c + 1); ++i) n += starts_run(i) ? 1 : 0;
      runs[static_cast<std::size_t>(c) + 1] = n;
    }
  });
  for (std::size_t c = 1; c < runs.size(); ++c) runs[c] += runs[c - 1];
  if (runs.back() == coo.count) return coo;

  Coo out;
  out.layout = coo.layout, out.dtype = coo.dtype, out.count = runs.back();
  for (std::size_t w = 0; w < coo.keys.size(); ++w) {
    out.keys.push_back(allocate_elements(out.count, sizeof(Word), "combining coordinates"));
  }
  out.values = allocate_elements(out.count, sizeof(T), "combining coordinates");
  const T* const from = as<T>(coo.values);
  parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      std::int64_t to = runs[static_cast<std::size_t>(c)];
      for (std::int64_t i = first_of(c); i < first_of(c + 1); ++i) {
        if (!starts_run(i)) continue;  // belongs to a run begun before, perhaps in the chunk before
        auto sum = widen(from[i]);
        for (std::int64_t j = i + 1; j < coo.count && !starts_run(j); ++j) sum = reduce(semiring, sum, widen(from[j]));
        for (std::size_t w = 0; w < coo.keys.size(); ++w) as<Word>(out.keys[w])[to] = as<Word>(coo.keys[w])[i];
        as<T>(out.values)[to++] = narrow<T>(sum);
      }
    }
  });
  return out;
}

}  // namespace

void sort_and_combine(Coo& coo, Semiring semiring) {
  if (coo.sorted) return;
  if (!keys_increase(coo)) {
    sort_keys(coo);
    visit_type(coo.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      identity_of<decltype(widen(T{}))>(semiring);  // refuses an order on complex numbers
      coo = combine<T>(coo, semiring);
    });
  }
  coo.sorted = true;
}

}  // namespace einloom
