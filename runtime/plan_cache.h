// Programs by what was asked: bounded, least recently used out first, safe for many threads.
#pragma once

#include <array>
#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "frontend/hash.h"

namespace einloom {

struct ProgramImpl;

class PlanCache {
 public:
  std::shared_ptr<ProgramImpl> find(const Hash& key);  // null when absent; counts a hit or a miss
  void insert(const Hash& key, std::shared_ptr<ProgramImpl> program);
  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  static constexpr std::size_t shard_count = 16, shard_capacity = 256;
  struct Shard {
    std::mutex mutex;
    std::list<std::pair<Hash, std::shared_ptr<ProgramImpl>>> order;  // most recent first
    std::unordered_map<Hash, decltype(order)::iterator, HashOf> map;
  };
  Shard& shard(const Hash& key) { return shards_[key.hi % shard_count]; }

  std::array<Shard, shard_count> shards_;
  std::atomic<std::uint64_t> hits_{0}, misses_{0};
};

}  // namespace einloom
