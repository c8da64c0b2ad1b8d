#include "device_cpu.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

#include "frontend/text.h"
#include "load_llvm.h"
#include "parallel.h"

namespace einloom {

namespace {

std::int64_t system_value(int name, std::int64_t otherwise) {
  const long v = sysconf(name);
  return v > 0 ? v : otherwise;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Independent multiply-add chains, enough to hide latency.
template <class T>
double flops_once(int threads) {
  constexpr std::int64_t rounds = 200000;
  constexpr int chains = 128;
  const double seconds = seconds_of([&] {
    parallel_for(
        threads, 1,
        [&](std::int64_t, std::int64_t) {
          T x[chains];
          for (int c = 0; c < chains; ++c) x[c] = static_cast<T>(c);
          for (std::int64_t r = 0; r < rounds; ++r)
            for (int c = 0; c < chains; ++c) x[c] = x[c] * static_cast<T>(0.999) + static_cast<T>(0.5);
          volatile T sink = x[threads % chains];
          (void)sink;
        },
        threads);
  });
  return 2.0 * chains * static_cast<double>(rounds) * threads / seconds;
}

}  // namespace

Target cpu_target(int threads) {
  static const HostCpu host = host_cpu();
  Target t;
  t.kind = Target::Kind::cpu;
  t.arch = host.name;
  t.features = host.features;
  t.triple = host.triple;
  const bool avx512 =
      host.features.find("+avx512f") != std::string::npos && host.features.find("+avx512vl") != std::string::npos;
  const bool avx2 = host.features.find("+avx2") != std::string::npos && host.features.find("+fma") != std::string::npos;
  t.vector_bytes = avx512 ? 64 : avx2 ? 32 : 16;
  t.vector_registers = avx512 ? 32 : 16;
  t.units = threads;
  t.l1 = system_value(_SC_LEVEL1_DCACHE_SIZE, 32 << 10);
  t.l2 = system_value(_SC_LEVEL2_CACHE_SIZE, 1 << 20);
  t.l3 = system_value(_SC_LEVEL3_CACHE_SIZE, 8 << 20);
  t.memory = system_value(_SC_PHYS_PAGES, 1 << 21) * system_value(_SC_PAGESIZE, 4096);
  // Nominal rates for the cost model: one vector multiply-add a cycle at 3 GHz, 12 GB/s a core.
  t.flops_f32 = 3e9 * threads * t.vector_bytes / 2;
  t.flops_f64 = t.flops_f32 / 2;
  t.bytes_per_second = 12e9 * threads;
  return t;
}

MeasuredRates measure_rates(const Target& target, int threads) {
  const std::int64_t bytes = std::max<std::int64_t>(64 << 20, std::min<std::int64_t>(2 * target.l3, 256 << 20));
  std::vector<char> block(static_cast<std::size_t>(bytes), 1);
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    best = std::min(best, seconds_of([&] {
                      parallel_for(
                          bytes / 4096, 256,
                          [&](std::int64_t a, std::int64_t b) {
                            std::uint64_t sum = 0;
                            const char* p = block.data();
                            for (std::int64_t at = a * 4096; at < b * 4096; at += 8) {
                              std::uint64_t word;
                              std::memcpy(&word, p + at, 8);
                              sum += word;
                            }
                            volatile std::uint64_t sink = sum;
                            (void)sink;
                          },
                          threads);
                    }));
  }
  return {static_cast<double>(bytes) / best, std::max(flops_once<float>(threads), target.flops_f32),
          std::max(flops_once<double>(threads), target.flops_f64)};
}

std::string to_text(const Target& t) {
  return fmt::format(
      "cpu\n  processor         {}\n  triple            {}\n  threads           {}\n  vector registers  {} of {} "
      "bytes\n"
      "  caches            L1 {}, L2 {}, L3 {}\n  memory            {}\n",
      t.arch, t.triple, t.units, t.vector_registers, t.vector_bytes, human_bytes(static_cast<double>(t.l1)),
      human_bytes(static_cast<double>(t.l2)), human_bytes(static_cast<double>(t.l3)),
      human_bytes(static_cast<double>(t.memory)));
}

std::string to_json(const Target& t, const MeasuredRates& r) {
  return fmt::format(
      R"({{"device": "cpu", "arch": "{}", "triple": "{}", "threads": {}, "vector_bytes": {}, "l1": {}, "l2": {}, "l3": {}, "memory": {}, "bytes_per_second": {:.4g}, "flops_f32": {:.4g}, "flops_f64": {:.4g}}})",
      t.arch, t.triple, t.units, t.vector_bytes, t.l1, t.l2, t.l3, t.memory, r.bytes_per_second, r.flops_f32,
      r.flops_f64);
}

}  // namespace einloom
