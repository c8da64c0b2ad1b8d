// Memory: aligned buffers, and the refusal of what the machine cannot give.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "frontend/error.h"
#include "runtime/memory.h"
#include "runtime/pool.h"
#include "runtime/storage.h"

namespace einloom {

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t worth_checking = std::int64_t{64} << 20;
constexpr std::int64_t huge_page = std::int64_t{2} << 20;

std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value && value >= 0) return value;
  return std::nullopt;  // absent, or "max"
}

// The number after `key` in a file of "key number" lines.
std::optional<std::int64_t> entry_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::string line, word;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::int64_t value = 0;
    if (words >> word >> value && word == key) return value;
  }
  return std::nullopt;
}

// What the control group in `folder` still allows; its file cache can be reclaimed.
std::int64_t group_room(const std::string& folder, const char* limit, const char* usage, const char* active,
                        const char* inactive) {
  const auto most = number_in(folder + "/" + limit);
  const auto used = number_in(folder + "/" + usage);
  if (!most || !used || *most > (std::int64_t{1} << 60)) return unlimited;
  const std::int64_t cache =
      entry_in(folder + "/memory.stat", active).value_or(0) + entry_in(folder + "/memory.stat", inactive).value_or(0);
  return std::max<std::int64_t>(0, *most - std::max<std::int64_t>(0, *used - cache));
}

std::int64_t groups_room() {
  std::int64_t room =
      std::min(group_room("/sys/fs/cgroup", "memory.max", "memory.current", "active_file", "inactive_file"),
               group_room("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                          "total_active_file", "total_inactive_file"));
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("0::/", 0) != 0) continue;
    // A limit may stand at any level above this process.
    for (std::string path = line.substr(3); path.size() > 1; path.resize(path.find_last_of('/'))) {
      room = std::min(
          room, group_room("/sys/fs/cgroup" + path, "memory.max", "memory.current", "active_file", "inactive_file"));
      if (path.find_last_of('/') == std::string::npos) break;
    }
  }
  return room;
}

std::int64_t address_space_room() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const std::int64_t pages = number_in("/proc/self/statm").value_or(0);
  const auto used = static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur > used ? static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur - used, unlimited)) : 0;
}

}  // namespace

std::int64_t available_memory() {
  std::int64_t room = unlimited;
  if (const auto kib = entry_in("/proc/meminfo", "MemAvailable:")) room = *kib * 1024;
  return std::min({room, groups_room(), address_space_room()});
}

void check_memory(std::int64_t bytes, const char* what) {
  if (bytes <= worth_checking) return;
  const std::int64_t room = available_memory();
  if (bytes > room) {
    throw Error::memory(what, static_cast<unsigned long long>(bytes),
                        static_cast<unsigned long long>(std::max<std::int64_t>(room, 1)));
  }
}

Bytes allocate(std::int64_t bytes, const char* what) {
  if (bytes < 0) throw Error::internal("an allocation of a negative size");
  const std::int64_t block = Pool::block_size(bytes);
  void* data = pool().take(block);
  if (data == nullptr) {
    if (block > worth_checking && block > available_memory()) pool().trim();
    check_memory(bytes, what);
    const bool huge = block >= 4 * huge_page;
    data = std::aligned_alloc(static_cast<std::size_t>(huge ? huge_page : 64),
                              static_cast<std::size_t>(huge ? (block + huge_page - 1) / huge_page * huge_page : block));
    if (data != nullptr && huge)
      madvise(data, static_cast<std::size_t>(block), MADV_HUGEPAGE);  // advice: failure changes nothing
  }
  if (data == nullptr) {
    throw Error::memory(what, static_cast<unsigned long long>(bytes),
                        static_cast<unsigned long long>(std::max<std::int64_t>(available_memory(), 1)));
  }
  return Bytes(data, [block](void* p) { pool().give(p, block); });
}

Bytes allocate_elements(std::int64_t count, std::int64_t size, const char* what) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    throw Error::memory(what, std::numeric_limits<unsigned long long>::max(),
                        static_cast<unsigned long long>(std::max<std::int64_t>(available_memory(), 1)));
  }
  return allocate(bytes, what);
}

}  // namespace einloom
