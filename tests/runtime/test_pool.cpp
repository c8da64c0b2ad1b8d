#include <cstdlib>

#include "runtime/pool.h"
#include "tests/support/catch.h"

namespace einloom {

TEST_CASE("blocks hold their request and waste less than a quarter") {
  for (std::int64_t bytes : {1, 63, 64, 65, 65535, 65536, 65537, 100000, 131072, 131073, 1 << 20, (1 << 20) + 1}) {
    const std::int64_t block = Pool::block_size(bytes);
    CHECK(block >= bytes);
    CHECK(block % 64 == 0);
    CHECK(block - bytes <= std::max<std::int64_t>(64, bytes / 4));
    CHECK(Pool::block_size(block) == block);
  }
}

TEST_CASE("a freed block serves the next request of its size, up to the pool's capacity") {
  const std::int64_t block = Pool::block_size(100000);
  Pool pool(2 * block);
  CHECK(pool.take(block) == nullptr);
  void* const first = std::aligned_alloc(64, static_cast<std::size_t>(block));
  void* const second = std::aligned_alloc(64, static_cast<std::size_t>(block));
  pool.give(first, block);
  pool.give(second, block);
  CHECK(pool.kept() == 2 * block);
  pool.give(std::aligned_alloc(64, static_cast<std::size_t>(block)), block);  // full: freed at once
  CHECK(pool.kept() == 2 * block);
  CHECK(pool.take(2 * block) == nullptr);
  CHECK(pool.take(block) == second);
  pool.give(second, block);
  pool.trim();
  CHECK(pool.kept() == 0);
  CHECK(pool.take(block) == nullptr);
}

}  // namespace einloom
