// The PEGTL rules both notations share. Included by the two parsers only.
#pragma once

#include <string_view>
#include <tao/pegtl.hpp>

#include "unicode.h"

namespace einloom::grammar {

namespace pegtl = tao::pegtl;

struct space : pegtl::one<' ', '\t', '\n', '\r', '\v', '\f'> {};
struct ws : pegtl::star<space> {};
struct comma : pegtl::one<','> {};
struct dots : pegtl::plus<pegtl::one<'.'>> {};

// One Unicode letter in UTF-8.
struct letter {
  using rule_t = letter;
  using subs_t = pegtl::empty_list;

  template <typename Input>
  static bool match(Input& in) {
    const auto left = static_cast<std::size_t>(in.end() - in.current());
    const std::size_t size = letter_size(std::string_view(in.current(), left < 4 ? left : 4), 0);
    if (size == 0) return false;
    in.bump_in_this_line(size);
    return true;
  }
};

using Input = pegtl::memory_input<pegtl::tracking_mode::lazy>;

template <typename ActionInput>
std::string_view token_of(const ActionInput& in) {
  return {in.begin(), in.size()};
}

}  // namespace einloom::grammar
