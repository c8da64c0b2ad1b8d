// A path the user gives: "(0,1),(0,1)". Positions are removed, the result goes to the end, as opt_einsum counts.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "build.h"
#include "frontend/error.h"

namespace einloom {

namespace {

class PathReader {
 public:
  explicit PathReader(const std::string& text) : text_(text) {}
  std::vector<std::vector<int>> read() {
    const bool bracket = take('[');
    std::vector<std::vector<int>> steps;
    do {
      if (bracket && peek() == ']' && !steps.empty()) break;
      steps.push_back(step());
    } while (take(','));
    if (bracket && !take(']')) fail("']'");
    if (peek() != '\0' || at_ < text_.size()) fail("',' or the end");
    return steps;
  }

 private:
  std::vector<int> step() {
    if (!take('(')) fail("'('");
    std::vector<int> positions{number()};
    while (take(',')) {
      if (peek() == ')') break;
      positions.push_back(number());
    }
    if (!take(')')) fail("',' or ')'");
    return positions;
  }
  int number() {
    if (!std::isdigit(static_cast<unsigned char>(peek()))) fail("a position");
    const std::size_t begin = at_;
    long value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_]))) {
      value = value * 10 + (text_[at_++] - '0');
      if (value > 100000000) throw Error::input("this position is beyond every operand", text_, begin);
    }
    return static_cast<int>(value);
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& expected) {
    throw Error::input(
        fmt::format("a path is auto, optimal, greedy or steps like \"(0,1),(0,1)\": expected {} here", expected), text_,
        at_);
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Path given_path(const std::string& text, std::size_t operands) {
  const std::vector<std::vector<int>> steps = PathReader(text).read();
  Path path;
  path.method = "given";
  std::vector<int> alive(operands);
  for (std::size_t i = 0; i < operands; ++i) alive[i] = static_cast<int>(i);
  int next = static_cast<int>(operands);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    std::vector<int> positions = steps[s];
    std::sort(positions.begin(), positions.end());
    if (std::adjacent_find(positions.begin(), positions.end()) != positions.end()) {
      throw Error::input(fmt::format("step {} of the path names a position twice, expected distinct ones", s), text);
    }
    if (static_cast<std::size_t>(positions.back()) >= alive.size()) {
      throw Error::input(
          fmt::format("step {} of the path names position {}, expected less than {} as {} operand{} left", s,
                      positions.back(), alive.size(), alive.size(), alive.size() == 1 ? " is" : "s are"),
          text);
    }
    std::vector<int> ids;
    for (const int p : steps[s]) ids.push_back(alive[static_cast<std::size_t>(p)]);
    for (std::size_t p = positions.size(); p-- > 0;) alive.erase(alive.begin() + positions[p]);
    alive.push_back(next++);
    path.steps.push_back(std::move(ids));
  }
  if (alive.size() != 1) {
    throw Error::input(fmt::format("the path leaves {} operands, expected one", alive.size()), text);
  }
  return path;
}

}  // namespace einloom
