#include "semiring.h"

#include <algorithm>
#include <string>

namespace einloom {

const char* name(Semiring semiring) {
  static constexpr const char* names[semiring_count] = {"plus-times", "min-plus", "max-plus", "max-times", "or-and"};
  const auto i = static_cast<int>(semiring);
  return i < semiring_count ? names[i] : "unknown";
}

std::optional<Semiring> parse_semiring(std::string_view text) {
  std::string dashed(text);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  for (int i = 0; i < semiring_count; ++i) {
    if (dashed == name(static_cast<Semiring>(i))) return static_cast<Semiring>(i);
  }
  return std::nullopt;
}

}  // namespace einloom
