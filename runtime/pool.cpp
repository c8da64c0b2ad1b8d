#include "pool.h"

#include <unistd.h>

#include <bit>
#include <cstdlib>

namespace einloom {

std::int64_t Pool::block_size(std::int64_t bytes) {
  if (bytes <= smallest) return bytes <= 64 ? 64 : (bytes + 63) / 64 * 64;
  if (bytes > (std::int64_t{1} << 60)) return bytes;
  const std::int64_t step = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(bytes))) / 4;
  return (bytes + step - 1) / step * step;
}

void* Pool::take(std::int64_t block) {
  if (block <= smallest) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = free_.find(block);
  if (found == free_.end() || found->second.empty()) return nullptr;
  void* const data = found->second.back();
  found->second.pop_back();
  kept_ -= block;
  return data;
}

void Pool::give(void* data, std::int64_t block) {
  if (block > smallest) {
    const std::lock_guard lock(mutex_);
    if (block <= capacity_ - kept_) {
      free_[block].push_back(data);
      kept_ += block;
      return;
    }
  }
  std::free(data);
}

void Pool::trim() {
  const std::lock_guard lock(mutex_);
  for (auto& [block, list] : free_)
    for (void* data : list) std::free(data);
  free_.clear();
  kept_ = 0;
}

std::int64_t Pool::kept() const {
  const std::lock_guard lock(mutex_);
  return kept_;
}

// Never destroyed: tensors with static storage may outlive the end of main(). It keeps at most a sixteenth of the
// memory.
Pool& pool() {
  static Pool* const the_pool =
      new Pool(static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 16);
  return *the_pool;
}

}  // namespace einloom
