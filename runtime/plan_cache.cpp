#include "plan_cache.h"

namespace einloom {

std::shared_ptr<ProgramImpl> PlanCache::find(const Hash& key) {
  Shard& s = shard(key);
  std::lock_guard lock(s.mutex);
  auto it = s.map.find(key);
  if (it == s.map.end()) {
    ++misses_;
    return nullptr;
  }
  ++hits_;
  s.order.splice(s.order.begin(), s.order, it->second);
  return it->second->second;
}

void PlanCache::insert(const Hash& key, std::shared_ptr<ProgramImpl> program) {
  Shard& s = shard(key);
  std::shared_ptr<ProgramImpl> dropped;  // destroyed outside the lock
  std::lock_guard lock(s.mutex);
  auto it = s.map.find(key);
  if (it != s.map.end()) {
    it->second->second = std::move(program);
    return;
  }
  s.order.emplace_front(key, std::move(program));
  s.map[key] = s.order.begin();
  if (s.order.size() > shard_capacity) {
    dropped = std::move(s.order.back().second);
    s.map.erase(s.order.back().first);
    s.order.pop_back();
  }
}

}  // namespace einloom
