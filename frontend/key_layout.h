// Keys: one row of coordinates packed into as few 64-bit words as its extents need.
//
// The first storage level stands in the most significant bits, each level takes just the bits of its extent and no
// field crosses two words, so rows compare as their keys do, word 0 first. Loaders, generated kernels and level
// building share this. Throws Error(input) when more than `max_key_words` words would be needed.
#pragma once

#include <cstdint>
#include <vector>

namespace einloom {

inline constexpr int max_key_words = 8;

struct KeyLayout {
  int words = 1;
  struct Field {
    int word;
    int shift;
    int bits;
  };
  std::vector<Field> fields;  // one a storage level
};

KeyLayout key_layout(const std::vector<std::int64_t>& extents_in_storage_order);

}  // namespace einloom
