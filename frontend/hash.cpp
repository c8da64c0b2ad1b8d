#include "hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace einloom {

std::string Hash::hex() const { return fmt::format("{:016x}{:016x}", hi, lo); }

Hash hash_bytes(const void* data, std::size_t bytes) {
  const XXH128_hash_t h = XXH3_128bits(bytes == 0 ? "" : data, bytes);
  return {h.low64, h.high64};
}

}  // namespace einloom
