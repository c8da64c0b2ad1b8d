// Trace: an optional record of the stages a build went through. A room is handed a Trace* (or nullptr) and appends to
// it.
#pragma once

#include <string>
#include <vector>

namespace einloom {

struct Trace {
  struct Stage {
    std::string name;  // "parse", "bind", "plan", "lower", "simplify", ...
    std::string text;  // the stage's result, printed
    double microseconds = 0;
    bool changed = true;  // false: a pass that left its input as it was
  };
  std::vector<Stage> stages;
};

}  // namespace einloom
