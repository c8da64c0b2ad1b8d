// The buffer pool: freed blocks kept for the next allocation of their size, so that a repeated call touches no fresh
// pages. Private to the runtime room; allocate() of storage.h is its only user. Thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace einloom {

class Pool {
 public:
  explicit Pool(std::int64_t capacity) : capacity_(capacity) {}

  // Blocks come in sizes of four steps an octave, so a kept block serves requests up to a quarter smaller than itself.
  static std::int64_t block_size(std::int64_t bytes);  // bytes of the block that serves a request; multiples of 64
  void* take(std::int64_t block);                      // a kept block of this size, or null
  void give(void* data, std::int64_t block);           // keeps it, or frees it when the pool is full
  void trim();                                         // frees everything kept
  std::int64_t kept() const;                           // bytes

 private:
  static constexpr std::int64_t smallest = 64 << 10;  // below, malloc itself is as good
  mutable std::mutex mutex_;
  std::map<std::int64_t, std::vector<void*>> free_;
  std::int64_t kept_ = 0, capacity_;
};

Pool& pool();

}  // namespace einloom
