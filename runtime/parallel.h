// Threads: the only place that talks to oneTBB.
#pragma once

#include <cstdint>
#include <functional>

namespace einloom {

// Calls body(begin, end) over [0, count) split into ranges of at least `grain`, on up to `threads` threads (0: all).
// Exceptions from the body are rethrown once, after all ranges ended.
void parallel_for(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body,
                  int threads = 0);
int default_threads();   // EINLOOM_THREADS if set and valid, otherwise the cores of this process
int thread_slot();       // index of the calling thread within its arena, 0 outside
int max_thread_slots();  // one more than the largest thread_slot()

}  // namespace einloom
