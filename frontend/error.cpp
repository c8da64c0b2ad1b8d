#include "error.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "text.h"
#include "unicode.h"

namespace einloom {

namespace {

// A line longer than this is shown as a window around the fault.
constexpr std::size_t longest_line = 160;
constexpr std::size_t window_before = 60;

std::string safe(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    out += c.valid && c.value == '\n' ? std::string("\n") : shown(text, c, at).text;
    at += c.size;
  }
  return out;
}

// The line of `text` that holds `position`, as a terminal may print it, and a caret line below.
std::string marked(std::string_view text, std::size_t position) {
  const bool caret = position != Error::no_position;
  position = std::min(caret ? position : 0, text.size());
  const std::size_t before = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', position), text.size());

  std::vector<Shown> cells;
  std::size_t fault = 0;
  bool passed = false;
  for (std::size_t at = begin; at < end;) {
    const CodePoint c = decode(text, at);
    if (!passed && position < at + c.size) fault = cells.size(), passed = true;
    cells.push_back(shown(text, c, at));
    at += c.size;
  }
  if (!passed) fault = cells.size();

  std::size_t first = 0, last = cells.size();
  if (cells.size() > longest_line) {
    first = fault > window_before ? fault - window_before : 0;
    last = std::min(cells.size(), first + longest_line);
  }
  std::string line = first > 0 ? "\u2026" : "";
  std::size_t column = first > 0 ? 1 : 0;
  for (std::size_t i = first; i < last; ++i) {
    line += cells[i].text;
    if (i < fault) column += cells[i].columns;
  }
  if (last < cells.size()) line += "\u2026";
  return caret ? fmt::format("\n  {}\n  {}^", line, std::string(column, ' ')) : fmt::format("\n  {}", line);
}

}  // namespace

Error::Error(Kind kind, std::string message, std::string text, std::size_t position)
    : kind_(kind), message_(std::move(message)), text_(std::move(text)), position_(position) {
  what_ = safe(message_);
  if (!text_.empty() || position_ != no_position) what_ += marked(text_, position_);
}

Error Error::input(std::string message, std::string text, std::size_t position) {
  return {Kind::input, std::move(message), std::move(text), position};
}

Error Error::device(std::string message) { return {Kind::device, std::move(message)}; }

Error Error::memory(std::string what, unsigned long long needed, unsigned long long available) {
  std::string message =
      needed == std::numeric_limits<unsigned long long>::max()
          ? fmt::format("{} needs more than 2^64 bytes", what)
          : fmt::format("{} needs {} bytes ({})", what, needed, human_bytes(static_cast<double>(needed)));
  if (available != 0) {
    message += fmt::format(", {} bytes ({}) are available", available, human_bytes(static_cast<double>(available)));
  }
  return {Kind::memory, std::move(message)};
}

Error Error::internal(std::string message) { return {Kind::internal, std::move(message)}; }

}  // namespace einloom
