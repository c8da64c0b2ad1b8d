// 128-bit content hashes (XXH3). Pure functions of the bytes; the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace einloom {

struct Hash {
  std::uint64_t lo = 0, hi = 0;
  bool operator==(const Hash&) const = default;
  std::string hex() const;  // 32 digits
};
struct HashOf {
  std::size_t operator()(const Hash& h) const noexcept { return static_cast<std::size_t>(h.lo ^ h.hi); }
};

Hash hash_bytes(const void* data, std::size_t bytes);
inline Hash hash_text(std::string_view text) { return hash_bytes(text.data(), text.size()); }

}  // namespace einloom
