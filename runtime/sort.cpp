// Least-significant-digit radix sort of packed keys, in parallel and stable.
//
// One word: keys and values move together. More words: a permutation is sorted word by word, then everything is
// gathered.
#include "runtime/sort.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/elements.h"
#include "runtime/memory.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

using Word = std::uint64_t;
constexpr int digit_bits = 8;
constexpr std::int64_t buckets = 1 << digit_bits;
constexpr std::int64_t smallest_chunk = 1 << 15;

// Bits that are not the same in all keys.
Word varying_bits(const Word* keys, std::int64_t count) {
  std::atomic<Word> all{0};
  parallel_for(count, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    Word differ = 0;
    for (std::int64_t i = begin; i < end; ++i) differ |= keys[i] ^ keys[0];
    all.fetch_or(differ, std::memory_order_relaxed);
  });
  return all.load();
}

struct Digit {
  int shift, bits;
};

// Digits that cover the varying bits, of about equal width.
std::vector<Digit> digits_of(Word varying) {
  std::vector<Digit> digits;
  while (varying != 0) {
    const int shift = std::countr_zero(varying);
    digits.push_back({shift, digit_bits});
    varying = shift + digit_bits >= 64 ? 0 : varying >> (shift + digit_bits) << (shift + digit_bits);
  }
  return digits;
}

// One pass: moves keys and payloads to their places by one digit, keeping the order of equal digits.
template <class P>
void pass(const Word* keys, const P* payload, Word* keys_out, P* payload_out, std::int64_t count, Digit digit) {
  const std::int64_t chunks = std::clamp<std::int64_t>(count / smallest_chunk, 1, 4 * default_threads());
  std::vector<std::array<std::int64_t, buckets>> offsets(static_cast<std::size_t>(chunks));
  const Word mask = (Word{1} << digit.bits) - 1;
  const auto first_of = [&](std::int64_t chunk) { return count / chunks * chunk + std::min(chunk, count % chunks); };
  parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      auto& histogram = offsets[static_cast<std::size_t>(c)];
      histogram.fill(0);
      for (std::int64_t i = first_of(c); i < first_of(c + 1); ++i) ++histogram[(keys[i] >> digit.shift) & mask];
    }
  });
  std::int64_t total = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(buckets); ++b) {
    for (auto& histogram : offsets) total += std::exchange(histogram[b], total);
  }
  parallel_for(chunks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end; ++c) {
      auto& place = offsets[static_cast<std::size_t>(c)];
      for (std::int64_t i = first_of(c); i < first_of(c + 1); ++i) {
        const std::int64_t to = place[(keys[i] >> digit.shift) & mask]++;
        keys_out[to] = keys[i];
        payload_out[to] = payload[i];
      }
    }
  });
}

template <class P>
void sort_pairs(Bytes& keys, Bytes& payload, std::int64_t count) {
  const auto digits = digits_of(varying_bits(as<Word>(keys), count));
  if (digits.empty()) return;
  Bytes other_keys = allocate_elements(count, sizeof(Word), "sorting coordinates");
  Bytes other_payload = allocate_elements(count, sizeof(P), "sorting coordinates");
  for (const Digit digit : digits) {
    pass(as<Word>(keys), as<P>(payload), as<Word>(other_keys), as<P>(other_payload), count, digit);
    std::swap(keys, other_keys);
    std::swap(payload, other_payload);
  }
}

template <class T, class I>
Bytes gather(const Bytes& from, const I* order, std::int64_t count) {
  Bytes out = allocate_elements(count, sizeof(T), "sorting coordinates");
  parallel_for(count, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) as<T>(out)[i] = as<T>(from)[order[i]];
  });
  return out;
}

template <class I>
void sort_wide(Coo& coo) {
  Bytes order = allocate_elements(coo.count, sizeof(I), "sorting coordinates");
  std::iota(as<I>(order), as<I>(order) + coo.count, I{0});
  for (std::size_t word = coo.keys.size(); word-- > 0;) {
    if (varying_bits(as<Word>(coo.keys[word]), coo.count) == 0) continue;
    Bytes keys = gather<Word>(coo.keys[word], as<I>(order), coo.count);
    sort_pairs<I>(keys, order, coo.count);
  }
  for (Bytes& keys : coo.keys) keys = gather<Word>(keys, as<I>(order), coo.count);
  visit_size(size_of(coo.dtype),
             [&](auto tag) { coo.values = gather<typename decltype(tag)::type>(coo.values, as<I>(order), coo.count); });
}

}  // namespace

bool keys_increase(const Coo& coo) {
  std::atomic<bool> increase{true};
  parallel_for(coo.count - 1, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    bool ok = true;
    if (coo.keys.size() == 1) {
      const Word* const keys = as<Word>(coo.keys[0]);
      for (std::int64_t i = begin; i < end; ++i) ok &= keys[i] < keys[i + 1];
    } else {
      for (std::int64_t i = begin; i < end && ok; ++i) {
        std::size_t w = 0;
        while (w < coo.keys.size() && as<Word>(coo.keys[w])[i] == as<Word>(coo.keys[w])[i + 1]) ++w;
        ok = w < coo.keys.size() && as<Word>(coo.keys[w])[i] < as<Word>(coo.keys[w])[i + 1];
      }
    }
    if (!ok) increase.store(false, std::memory_order_relaxed);
  });
  return increase.load();
}

void sort_keys(Coo& coo) {
  if (coo.count < 2) return;
  if (coo.keys.size() == 1) {
    visit_size(size_of(coo.dtype),
               [&](auto tag) { sort_pairs<typename decltype(tag)::type>(coo.keys[0], coo.values, coo.count); });
  } else if (coo.count < (std::int64_t{1} << 32)) {
    sort_wide<std::uint32_t>(coo);
  } else {
    sort_wide<std::uint64_t>(coo);
  }
}

}  // namespace einloom
