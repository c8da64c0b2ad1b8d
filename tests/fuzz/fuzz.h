// What the fuzz programs share: running for a time or a count with a printed seed, and damaging texts.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <random>
#include <string>

#include "frontend/error.h"
#include "tests/support/arguments.h"
#include "tests/support/array.h"

namespace einloom::test {

// Calls once(random) until --seconds (default 10) or --n is reached. An einloom::Error whose kind is not `internal` is
// a good answer; anything else thrown is a fault: the seed that repeats it is printed. Returns the program's exit
// status.
inline int run_fuzz(const char* name, int argc, char** argv, const std::function<std::string(Random&)>& once) {
  const Arguments arguments(argc, argv);
  const auto seconds = static_cast<double>(arguments.number("--seconds", 10));
  const std::int64_t count = arguments.number("--n", INT64_MAX);
  const std::int64_t only = arguments.number("--only", -1);
  const auto seed = static_cast<std::uint64_t>(
      arguments.number("--seed", static_cast<std::int64_t>(std::random_device{}() % 1000000)));
  std::printf("%s: seed %llu\n", name, static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  const Stopwatch watch;
  std::int64_t tried = 0, failed = 0;
  for (std::int64_t i = only >= 0 ? only : 0; tried < count && (only < 0 || i == only) && watch.seconds() < seconds;
       ++i) {
    Random random(seed * 1000003 + static_cast<std::uint64_t>(i));
    ++tried;
    std::string wrong;
    try {
      wrong = once(random);
    } catch (const Error& error) {
      if (error.kind() == Error::Kind::internal) wrong = std::string("an internal error: ") + error.what();
    } catch (const std::exception& error) {
      wrong = std::string("not an einloom::Error: ") + error.what();
    }
    if (wrong.empty() || ++failed > 10) continue;
    std::printf("FAIL %s --seed %llu --only %lld: %s\n", name, static_cast<unsigned long long>(seed),
                static_cast<long long>(i), wrong.c_str());
    std::fflush(stdout);
  }
  std::printf("%s: %lld inputs in %.1f s\n%lld passed, %lld failed\n", name, static_cast<long long>(tried),
              watch.seconds(), static_cast<long long>(tried - failed), static_cast<long long>(failed));
  return failed > 0;
}

// Changes, removes, repeats or moves a few bytes.
inline std::string damaged(Random& random, std::string text, const std::string& alphabet) {
  for (std::int64_t edits = draw(random, 1, 4); edits > 0; --edits) {
    const auto at = static_cast<std::size_t>(draw(random, 0, static_cast<std::int64_t>(text.size())));
    switch (random() % 5) {
      case 0:
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
        break;
      case 1:
        text.erase(at, static_cast<std::size_t>(draw(random, 1, 3)));
        break;
      case 2:
        text.insert(at, text.substr(random() % (text.size() + 1), static_cast<std::size_t>(draw(random, 1, 8))));
        break;
      case 3:
        text.insert(at, 1, static_cast<char>(random() & 0xff));
        break;
      default:
        if (at < text.size()) text[at] = alphabet[random() % alphabet.size()];
    }
  }
  return text;
}

}  // namespace einloom::test
