// Random larger problems against the oracle: one to eight operands of every element type, level format and stride,
// every semiring, form of call, path and strategy. The second call must repeat the first bit for bit.
//
//   test_random [--n N] [--seed S] [--only I] [--threads T]
#include <atomic>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>

#include "tests/oracle/random_case.h"
#include "tests/support/arguments.h"

int main(int argc, char** argv) {
  using namespace einloom;
  using namespace einloom::test;
  const Arguments arguments(argc, argv);
  const std::int64_t count = arguments.number("--n", 1000);
  const std::int64_t only = arguments.number("--only", -1);
  const auto seed = static_cast<std::uint64_t>(
      arguments.number("--seed", static_cast<std::int64_t>(std::random_device{}() % 1000000)));
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  const std::int64_t threads = only >= 0 ? 1 : arguments.number("--threads", cores);
  std::printf("random: seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);

  Context context;
  const Stopwatch watch;
  std::atomic<std::int64_t> next{only >= 0 ? only : 0}, passed{0}, refused{0}, failed{0};
  const std::int64_t end = only >= 0 ? only + 1 : count;
  std::mutex printing;
  const auto work = [&] {
    for (std::int64_t i = next++; i < end; i = next++) {
      const RandomCase c = draw_case(seed * 1000003 + static_cast<std::uint64_t>(i));
      if (arguments.flag("--verbose"))
        std::printf("%lld: %s\n", static_cast<long long>(i), describe(c).c_str()), std::fflush(stdout);
      const Outcome outcome = check_case(context, c);
      if (outcome.verdict == Verdict::refused) ++refused;
      if (outcome.verdict != Verdict::failed) {
        ++passed;
        continue;
      }
      const bool shows = ++failed <= 10;
      const RandomCase small = shows ? shrink(context, c) : c;
      const std::lock_guard<std::mutex> lock(printing);
      std::printf("FAIL %lld: %s\n", static_cast<long long>(i), describe(c).c_str());
      std::printf("  %s\n", outcome.message.c_str());
      if (!shows) continue;
      std::printf("  smaller: %s\n  %s\n", describe(small).c_str(), check_case(context, small).message.c_str());
      std::printf("  again: test_random --seed %llu --only %lld\n", static_cast<unsigned long long>(seed),
                  static_cast<long long>(i));
      std::fflush(stdout);
    }
  };
  std::vector<std::thread> workers;
  for (std::int64_t t = 0; t < threads; ++t) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  std::printf("random: %lld refused because a forced option does not apply, %.1f s\n",
              static_cast<long long>(refused.load()), watch.seconds());
  std::printf("%lld passed, %lld failed\n", static_cast<long long>(passed.load()),
              static_cast<long long>(failed.load()));
  return failed > 0;
}
