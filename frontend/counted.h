// A count with its noun in the right number: "1 entry", "2 entries". For messages.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace einloom {

// `many` is given where an added 's' is not the plural.
template <std::integral I>
std::string counted(I count, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(count) + ' ';
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one).append("s") : text.append(many);
}

}  // namespace einloom
