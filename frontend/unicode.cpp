#include "unicode.h"

#include <fmt/format.h>

namespace einloom {

namespace {

// Bytes that follow a lead byte, and the smallest code point that may be written so.
struct Lead {
  std::size_t more;
  char32_t least;
  unsigned bits;
};
bool lead_of(unsigned byte, Lead& lead) {
  if (byte >= 0xC2 && byte <= 0xDF) return lead = {1, 0x80, byte & 0x1Fu}, true;
  if (byte >= 0xE0 && byte <= 0xEF) return lead = {2, 0x800, byte & 0x0Fu}, true;
  if (byte >= 0xF0 && byte <= 0xF4) return lead = {3, 0x10000, byte & 0x07u}, true;
  return false;
}

// Characters that move the cursor, change direction or show nothing.
bool hidden(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

bool name_part(std::string_view text, std::size_t position, bool first) {
  const char c = position < text.size() ? text[position] : '\0';
  return c == '_' || (!first && c >= '0' && c <= '9') || letter_size(text, position) != 0;
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t position) {
  if (position >= text.size()) return {};
  const unsigned first = static_cast<unsigned char>(text[position]);
  if (first < 0x80) return {static_cast<char32_t>(first), 1, true};
  const CodePoint invalid{static_cast<char32_t>(first), 1, false};
  Lead lead{};
  if (!lead_of(first, lead) || text.size() - position <= lead.more) return invalid;
  char32_t value = lead.bits;
  for (std::size_t i = 1; i <= lead.more; ++i) {
    const unsigned byte = static_cast<unsigned char>(text[position + i]);
    if ((byte & 0xC0u) != 0x80u) return invalid;
    value = (value << 6) | (byte & 0x3Fu);
  }
  if (value < lead.least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return invalid;
  return {value, lead.more + 1, true};
}

std::size_t letter_size(std::string_view text, std::size_t position) {
  const CodePoint c = decode(text, position);
  return c.valid && is_letter(c.value) ? c.size : 0;
}

Shown shown(std::string_view text, const CodePoint& c, std::size_t position) {
  if (c.size == 0) return {};
  if (c.valid && c.value == '\t') return {" ", 1};
  std::string escaped;
  if (!c.valid || (c.value < 0x80 && hidden(c.value))) {
    escaped = fmt::format("\\x{:02x}", static_cast<unsigned>(c.value));
  } else if (hidden(c.value)) {
    escaped = fmt::format("\\u{{{:x}}}", static_cast<unsigned>(c.value));
  } else {
    return {std::string(text.substr(position, c.size)), 1};
  }
  const std::size_t columns = escaped.size();
  return {std::move(escaped), columns};
}

std::string found_at(std::string_view text, std::size_t position) {
  const CodePoint c = decode(text, position);
  if (c.size == 0) return "the end";
  if (!c.valid) return fmt::format("byte 0x{:02x}, which is not UTF-8", static_cast<unsigned>(c.value));
  if (name_part(text, position, true)) {
    std::size_t end = position;
    while (name_part(text, end, false)) end += decode(text, end).size;
    return fmt::format("'{}'", text.substr(position, end - position));
  }
  if (c.value < 0x80 && !hidden(c.value)) return fmt::format("'{}'", static_cast<char>(c.value));
  return fmt::format("U+{:04X}", static_cast<unsigned>(c.value));
}

}  // namespace einloom
