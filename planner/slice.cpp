#include "build.h"
#include "frontend/error.h"

namespace einloom {

Plan slice_plan(const Problem& problem, const Path&, const Plan& whole) {
  throw Error::memory("the intermediates", static_cast<unsigned long long>(whole.peak_bytes),
                      static_cast<unsigned long long>(problem.options.memory_limit));
}

}  // namespace einloom
