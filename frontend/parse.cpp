#include <limits>

#include "error.h"
#include "parse_builder.h"

namespace einloom {

Expr parse(std::string_view text) {
  // Labels and modes are counted in int.
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Error::input("the expression is longer than 2 GiB");
  }
  if (text.data() == nullptr) text = "";
  return text.find_first_of("[=") == std::string_view::npos ? parse_einsum(text) : parse_index(text);
}

}  // namespace einloom
