// Command lines of the test programs: "--name value" pairs and bare flags.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace einloom::test {

class Arguments {
 public:
  Arguments(int argc, char** argv) : words_(argv + 1, argv + argc) {}
  bool flag(const std::string& name) const {
    for (const std::string& word : words_) {
      if (word == name) return true;
    }
    return false;
  }
  std::int64_t number(const std::string& name, std::int64_t otherwise) const {
    for (std::size_t i = 0; i + 1 < words_.size(); ++i) {
      if (words_[i] == name) return std::strtoll(words_[i + 1].c_str(), nullptr, 10);
    }
    return otherwise;
  }

 private:
  std::vector<std::string> words_;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace einloom::test
