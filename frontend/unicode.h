// Code points of a text: decoding, which are letters, and how to show what a message must not print raw.
// Pure functions; none throws. Invalid UTF-8 (overlong, surrogate, truncated, beyond U+10FFFF) decodes with valid =
// false.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace einloom {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;  // bytes taken; 1 for an invalid byte, 0 at the end of the text
  bool valid = false;
};
CodePoint decode(std::string_view text, std::size_t position);

bool is_letter(char32_t code_point);  // general category L* (Unicode 14)
// The bytes of the letter at `position`, 0 where none stands there.
std::size_t letter_size(std::string_view text, std::size_t position);

struct Shown {
  std::string text;
  std::size_t columns = 0;  // one a code point
};
// What a terminal may safely print for one code point: control, invisible and direction-changing ones are escaped.
Shown shown(std::string_view text, const CodePoint& code_point, std::size_t position);
// `what stands there`, for messages: "'x'", "'name'", "U+0301", "byte 0xff", "the end".
std::string found_at(std::string_view text, std::size_t position);

}  // namespace einloom
