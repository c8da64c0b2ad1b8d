#include "key_layout.h"

#include <bit>

#include "error.h"

namespace einloom {

KeyLayout key_layout(const std::vector<std::int64_t>& extents) {
  KeyLayout layout;
  int word = 0, used = 0;
  for (std::int64_t extent : extents) {
    const int bits = extent > 1 ? std::bit_width(static_cast<std::uint64_t>(extent - 1)) : 0;
    if (used + bits > 64) {
      ++word;
      used = 0;
    }
    layout.fields.push_back({word, used, bits});  // bits before it in its word; turned into the shift below
    used += bits;
  }
  layout.words = word + 1;
  if (layout.words > max_key_words)
    throw Error::input(
        "the coordinates of this sparse tensor need more than 512 bits; sparse tensors of that order are not "
        "supported");
  // A word's last field ends at bit 0.
  std::vector<int> bits_in(static_cast<std::size_t>(layout.words), 0);
  for (const auto& f : layout.fields) bits_in[static_cast<std::size_t>(f.word)] += f.bits;
  for (auto& f : layout.fields)
    f.shift = f.bits == 0 ? 0 : bits_in[static_cast<std::size_t>(f.word)] - f.shift - f.bits;
  return layout;
}

}  // namespace einloom
