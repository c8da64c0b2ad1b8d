#include "runtime/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/environment.h"

namespace einloom {

namespace {

// One arena a thread count, made when first asked for.
class Arenas {
 public:
  Arenas() : cores_(std::max(1, tbb::this_task_arena::max_concurrency())) {}

  int cores() const { return cores_; }

  tbb::task_arena& arena(int threads) {
    const std::lock_guard lock(mutex_);
    if (threads > cores_ && (!control_ || threads > allowed_)) {
      control_ = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                       static_cast<std::size_t>(threads));
      allowed_ = threads;
    }
    auto& entry = arenas_[threads];
    if (!entry) entry = std::make_unique<tbb::task_arena>(threads);
    return *entry;
  }

 private:
  int cores_, allowed_ = 0;
  std::mutex mutex_;
  std::unique_ptr<tbb::global_control> control_;
  std::map<int, std::unique_ptr<tbb::task_arena>> arenas_;
};

// Never destroyed: worker threads may outlive the end of main().
Arenas& arenas() {
  static Arenas* const all = new Arenas;
  return *all;
}

}  // namespace

int default_threads() {
  const int asked = environment_threads();
  return asked > 0 ? asked : arenas().cores();
}

int max_thread_slots() { return std::max(default_threads(), arenas().cores()); }

int thread_slot() { return std::max(0, tbb::this_task_arena::current_thread_index()); }

void parallel_for(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body,
                  int threads) {
  if (count <= 0) return;
  grain = std::max<std::int64_t>(grain, 1);
  if (count < 2 * grain || threads == 1) return body(0, count);
  // More threads than slots would break what max_thread_slots() promises.
  threads = threads <= 0 ? default_threads() : std::min(threads, max_thread_slots());
  if (threads == 1) return body(0, count);
  arenas().arena(threads).execute([&] {
    // A range splits only when both halves keep the grain.
    const tbb::blocked_range<std::int64_t> range(0, count, static_cast<std::size_t>(2 * grain - 1));
    tbb::parallel_for(range, [&](const auto& part) { body(part.begin(), part.end()); });
  });
}

}  // namespace einloom
