#include "runtime/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.h"

using namespace einloom;

TEST_CASE("parallel_for visits everything once, in ranges of at least the grain", "[parallel]") {
  for (const std::int64_t count : {0, 1, 7, 1000, 12345}) {
    for (const std::int64_t grain : {1, 10, 5000}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
      std::atomic<bool> good{true};
      parallel_for(
          count, grain,
          [&](std::int64_t begin, std::int64_t end) {
            if (end - begin < std::min(grain, count) || thread_slot() >= max_thread_slots()) good = false;
            for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
          },
          4);
      CHECK(good);
      for (const auto& n : seen) REQUIRE(n == 1);
    }
  }
}

TEST_CASE("an exception in a body comes out once, and the next loop works", "[parallel]") {
  CHECK_THROWS_AS(parallel_for(1000, 1,
                               [](std::int64_t begin, std::int64_t) {
                                 if (begin >= 0) throw std::runtime_error("x");
                               }),
                  std::runtime_error);
  std::atomic<std::int64_t> sum{0};
  parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) {
    for (; begin < end; ++begin) sum += begin;
  });
  CHECK(sum == 4950);
}

TEST_CASE("loops may be nested", "[parallel]") {
  std::atomic<int> n{0};
  parallel_for(16, 1, [&](std::int64_t begin, std::int64_t end) {
    for (; begin < end; ++begin)
      parallel_for(16, 1, [&](std::int64_t b, std::int64_t e) { n += static_cast<int>(e - b); });
  });
  CHECK(n == 256);
}
