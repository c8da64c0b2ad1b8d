// Parallel parsing: a task takes a piece of the file, completes its last line, counts its lines, and parses them.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>

#include "frontend/counted.h"
#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/elements.h"
#include "runtime/files/table.h"
#include "runtime/memory.h"
#include "runtime/parallel.h"

namespace einloom {

namespace {

constexpr std::int64_t piece_bytes = 1 << 20;
constexpr std::int64_t longest_line = 1 << 20;

struct Fault {
  std::int64_t line = -1;  // within the piece
  std::string message;
};
// A coordinate that needs 64 bits was met by a 32-bit parser.
struct NeedsWide {};

// Whole lines of a piece, the last one ended by a newline.
struct Lines {
  std::vector<char> buffer;
  const char* begin = nullptr;
  const char* end = nullptr;
};

// A carriage return that something other than a line feed follows within [begin, end), or null.
const char* find_bare_return(const char* begin, const char* end) {
  for (const char* p = begin; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, '\r', static_cast<std::size_t>(end - p)));
    if (p == nullptr || p + 1 == end) return nullptr;
    if (p[1] != '\n') return p;
  }
  return nullptr;
}

// The lines that start in [start, start + piece_bytes).
Lines lines_of(const Input& input, std::int64_t start, std::int64_t first) {
  Lines lines;
  const std::int64_t size = input.size();
  const std::int64_t from = start > first ? start - 1 : start;
  const std::int64_t until = std::min(size, start + piece_bytes);
  lines.buffer.resize(static_cast<std::size_t>(until - from));
  input.read(from, lines.buffer.data(), until - from);
  std::size_t skip = 0;
  if (start > first) {
    const void* const newline = std::memchr(lines.buffer.data(), '\n', lines.buffer.size());
    if (newline == nullptr || static_cast<const char*>(newline) == lines.buffer.data() + lines.buffer.size() - 1)
      return {};
    skip = static_cast<std::size_t>(static_cast<const char*>(newline) - lines.buffer.data()) + 1;
  }
  constexpr std::int64_t more = 1 << 12;
  for (std::int64_t at = until; lines.buffer.back() != '\n' && at < size;) {
    const std::int64_t count = std::min(more, size - at);
    const std::size_t old = lines.buffer.size();
    lines.buffer.resize(old + static_cast<std::size_t>(count));
    input.read(at, lines.buffer.data() + old, count);
    at += count;
    if (const void* newline = std::memchr(lines.buffer.data() + old, '\n', static_cast<std::size_t>(count))) {
      lines.buffer.resize(static_cast<std::size_t>(static_cast<const char*>(newline) - lines.buffer.data()) + 1);
    } else if (at - until > longest_line) {
      if (find_bare_return(lines.buffer.data() + skip, lines.buffer.data() + lines.buffer.size()) != nullptr) break;
      input.fail(fmt::format("has a line longer than {} bytes", longest_line));
    }
  }
  if (lines.buffer.back() != '\n') lines.buffer.push_back('\n');
  lines.begin = lines.buffer.data() + skip;
  lines.end = lines.buffer.data() + lines.buffer.size();
  return lines;
}

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// What stands at p up to the next separator, for a message.
std::string word_at(const char* p, const RowSyntax& syntax) {
  const char* end = p;
  while (*end != '\n' && !(syntax.commas ? *end == ',' : blank(*end)) && end - p < 40) ++end;
  while (end > p && blank(end[-1])) --end;
  return std::string(p, end);
}

int columns_of(const char* p, const RowSyntax& syntax) {
  int columns = 0;
  for (;;) {
    while (blank(*p)) ++p;
    if (*p == '\n' || *p == syntax.comment) return columns;
    ++columns;
    while (*p != '\n' && *p != syntax.comment && !(syntax.commas ? *p == ',' : blank(*p))) ++p;
    if (syntax.commas && *p == ',') ++p;
  }
}

// Parses the number at p; throws a Fault (line filled in later).
template <class V>
const char* number(const char* p, const char* end, const RowSyntax& syntax, V& out) {
  const char* const start = p;
  if (*p == '+' && p[1] != '-' && p[1] != '+') ++p;
  if constexpr (std::is_same_v<V, std::int64_t>) {
    const auto [stop, status] = std::from_chars(p, end, out);
    const bool narrow_type =
        syntax.dtype == DType::i32 && status == std::errc{} &&
        (out < std::numeric_limits<std::int32_t>::min() || out > std::numeric_limits<std::int32_t>::max());
    if (status == std::errc::result_out_of_range || narrow_type) {
      throw Fault{-1, fmt::format("the value {} does not fit {}", word_at(start, syntax), name(syntax.dtype))};
    }
    if (status != std::errc{} || *stop == '.' || *stop == 'e' || *stop == 'E') {
      throw Fault{-1,
                  fmt::format("'{}' is not a whole number, as {} needs", word_at(start, syntax), name(syntax.dtype))};
    }
    return stop;
  } else {
    const auto [stop, status] = std::from_chars(p, end, out);
    if (status == std::errc::invalid_argument)
      throw Fault{-1, fmt::format("'{}' is not a number", word_at(start, syntax))};
    if (status == std::errc::result_out_of_range) {
      // Too small is zero or subnormal; too large is an error.
      const double value = std::strtod(std::string(p, stop).c_str(), nullptr);
      if (std::abs(value) > 1)
        throw Fault{-1, fmt::format("the value {} is too large for {}", word_at(start, syntax), name(syntax.dtype))};
      out = static_cast<V>(value);
    }
    if (syntax.dtype == DType::f16 && std::abs(out) >= 65520 && !std::isinf(out)) {
      throw Fault{-1, fmt::format("the value {} is too large for f16", word_at(start, syntax))};
    }
    return stop;
  }
}

template <class C, class V>
class PieceParser {
 public:
  PieceParser(const RowSyntax& syntax, int order, Rows::Piece& piece, std::vector<std::int64_t>& extents)
      : syntax_(syntax), order_(static_cast<std::size_t>(order)), piece_(piece), extents_(extents) {}

  // Returns the number of lines.
  std::int64_t parse(const Lines& lines, Fault& fault) {
    std::int64_t count = 0;
    if (const char* const at = find_bare_return(lines.begin, lines.end)) {
      fault = {std::count(lines.begin, at, '\n'), bare_return};
      return 0;
    }
    for (const char* p = lines.begin; p < lines.end; ++count)
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(lines.end - p))) + 1;
    piece_.coords = allocate_elements(count * static_cast<std::int64_t>(order_), sizeof(C), "a list of coordinates");
    piece_.values = allocate_elements(count * syntax_.values, sizeof(V), "a list of values");
    coords_ = as<C>(piece_.coords), values_ = as<V>(piece_.values);
    std::int64_t line = 0;
    const char* p = lines.begin;
    try {
      for (; p < lines.end; ++line) p = parse_line(p, lines.end);
    } catch (Fault& found) {
      fault = {line, found.message + separator_hint(p)};
    }
    return count;
  }

 private:
  const char* parse_line(const char* p, const char* end) {
    const char* const start = p;
    while (blank(*p)) ++p;
    if (*p == '\n') return p + 1;
    if (*p == syntax_.comment)
      return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
    for (std::size_t m = 0; m < order_; ++m) {
      p = coordinate(p, start, m);
      if (m + 1 < order_ || syntax_.values > 0) p = separator(p, start);
    }
    for (int v = 0; v < syntax_.values; ++v) {
      if (*p == '\n' || *p == syntax_.comment) wrong_columns(start);
      p = number(p, end, syntax_, *values_);
      ++values_;
      if (v + 1 < syntax_.values) p = separator(p, start);
    }
    const char* const stop = p;
    while (blank(*p)) ++p;
    if (*p == syntax_.comment && (p > stop || syntax_.commas))
      p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (*p != '\n') {
      if (ends_in_comma(start)) empty_end();
      if (columns_of(start, syntax_) != static_cast<int>(order_) + syntax_.values) wrong_columns(start);
      const char* word = stop;
      while (word > start && !(syntax_.commas ? word[-1] == ',' : blank(word[-1]))) --word;
      throw Fault{-1, fmt::format("'{}' is not a number", word_at(word, syntax_))};
    }
    ++piece_.count;
    return p + 1;
  }

  const char* coordinate(const char* p, const char* start, std::size_t m) {
    const char* const first = p;
    std::uint64_t value = 0;
    while (digit(*p)) {
      value = value * 10 + static_cast<std::uint64_t>(*p++ - '0');
      if (p - first > 18) throw Fault{-1, fmt::format("the coordinate {} is too large", word_at(first, syntax_))};
    }
    if (p == first || !(blank(*p) || *p == '\n' || *p == ',' || *p == syntax_.comment)) {
      if (columns_of(start, syntax_) != static_cast<int>(order_) + syntax_.values) wrong_columns(start);
      throw Fault{-1, fmt::format("'{}' is not a coordinate: expected a whole number", word_at(first, syntax_))};
    }
    const auto base = static_cast<std::uint64_t>(syntax_.base);
    if (value < base) throw Fault{-1, fmt::format("coordinate 0 in mode {}: counting starts at 1", m)};
    value -= base;
    if (!syntax_.shape.empty() && value >= static_cast<std::uint64_t>(syntax_.shape[m])) {
      if (columns_of(start, syntax_) != static_cast<int>(order_) + syntax_.values) wrong_columns(start);
      throw Fault{-1,
                  fmt::format("coordinate {} in mode {} is beyond the extent {}", value + base, m, syntax_.shape[m])};
    }
    if (value > std::numeric_limits<C>::max()) throw NeedsWide{};
    extents_[m] = std::max(extents_[m], static_cast<std::int64_t>(value) + 1);
    *coords_++ = static_cast<C>(value);
    return p;
  }

  const char* separator(const char* p, const char* start) {
    if (!syntax_.commas && !blank(*p)) wrong_columns(start);
    while (blank(*p)) ++p;
    if (syntax_.commas) {
      if (*p != ',') wrong_columns(start);
      ++p;
      while (blank(*p)) ++p;
    }
    return p;
  }

  [[noreturn]] void wrong_columns(const char* start) const {
    if (ends_in_comma(start)) empty_end();
    const int wanted = static_cast<int>(order_) + syntax_.values;
    throw Fault{
        -1, fmt::format("{}, where {} {} expected: {} and {}", counted(columns_of(start, syntax_), "column"), wanted,
                        wanted == 1 ? "is" : "are", counted(order_, "coordinate"), counted(syntax_.values, "value"))};
  }

  [[noreturn]] static void empty_end() { throw Fault{-1, "the last field is empty: the line ends in a comma"}; }

  // The end of a line before its comment and the blanks before that.
  const char* end_of(const char* start) const {
    const char* end = start;
    while (*end != '\n' && *end != syntax_.comment) ++end;
    while (end > start && blank(end[-1])) --end;
    return end;
  }
  bool ends_in_comma(const char* start) const {
    const char* const end = end_of(start);
    return syntax_.commas && end > start && end[-1] == ',';
  }

  // What to add to a message when the line separates its columns as another format does.
  std::string separator_hint(const char* start) const {
    const char* const end = end_of(start);
    while (blank(*start)) ++start;
    bool foreign = false;
    for (const char* p = start; p < end; ++p) {
      foreign = foreign || *p == ';' || (!syntax_.commas && *p == ',');
      if (!syntax_.commas || !blank(*p)) continue;
      const char* next = p;
      while (blank(*next)) ++next;
      foreign = foreign || (p > start && p[-1] != ',' && *next != ',');
      p = next - 1;
    }
    if (!foreign) return {};
    return syntax_.commas ? " (columns are separated by commas)" : " (columns are separated by blanks)";
  }

  const RowSyntax& syntax_;
  std::size_t order_;
  Rows::Piece& piece_;
  std::vector<std::int64_t>& extents_;
  C* coords_ = nullptr;
  V* values_ = nullptr;
};

// Columns of the first line that has any, or -1.
int first_columns(const Input& input, std::int64_t offset, std::int64_t line, const RowSyntax& syntax) {
  for (std::int64_t start = offset; start < input.size(); start += piece_bytes) {
    const Lines lines = lines_of(input, start, offset);
    for (const char* p = lines.begin; p < lines.end; ++line) {
      const char* const next =
          static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(lines.end - p))) + 1;
      if (find_bare_return(p, next) != nullptr) input.fail(line, bare_return);
      if (const int columns = columns_of(p, syntax); columns > 0) return columns;
      p = next;
    }
  }
  return -1;
}

template <class C, class V>
Rows parse_as(const Input& input, std::int64_t offset, std::int64_t line, const RowSyntax& syntax, int order) {
  Rows rows;
  rows.order = order;
  rows.wide = sizeof(C) == 8;
  const std::int64_t bytes = input.size() - offset;
  const std::int64_t count = bytes / piece_bytes + (bytes % piece_bytes != 0 ? 1 : 0);
  rows.pieces.resize(static_cast<std::size_t>(count));
  std::vector<std::vector<std::int64_t>> extents(static_cast<std::size_t>(count));
  std::vector<std::int64_t> lines(static_cast<std::size_t>(count), 0);
  std::vector<Fault> faults(static_cast<std::size_t>(count));
  std::atomic<bool> narrow{false};
  parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t c = begin; c < end && !narrow.load(std::memory_order_relaxed); ++c) {
      const auto i = static_cast<std::size_t>(c);
      std::vector<std::int64_t> most(static_cast<std::size_t>(order), 0);  // not shared between threads while parsing
      try {
        const Lines text = lines_of(input, offset + c * piece_bytes, offset);
        if (text.begin != nullptr)
          lines[i] = PieceParser<C, V>(syntax, order, rows.pieces[i], most).parse(text, faults[i]);
      } catch (NeedsWide) {
        narrow.store(true);
      }
      extents[i] = std::move(most);
    }
  });
  if (narrow.load()) return parse_as<std::uint64_t, V>(input, offset, line, syntax, order);
  rows.extents.assign(static_cast<std::size_t>(order), 0);
  for (std::size_t i = 0; i < rows.pieces.size(); ++i) {
    rows.pieces[i].first_line = line;
    if (faults[i].line >= 0) input.fail(line + faults[i].line, faults[i].message);
    line += lines[i];
    rows.count += rows.pieces[i].count;
    for (std::size_t m = 0; m < rows.extents.size(); ++m) rows.extents[m] = std::max(rows.extents[m], extents[i][m]);
  }
  return rows;
}

}  // namespace

Rows parse_rows(const Input& input, std::int64_t offset, std::int64_t line, const RowSyntax& syntax) {
  int order = syntax.order;
  if (order < 0) {
    const int columns = first_columns(input, offset, line, syntax);
    order = columns < 0 ? 0 : columns - syntax.values;
  }
  if (is_integer(syntax.dtype)) return parse_as<std::uint32_t, std::int64_t>(input, offset, line, syntax, order);
  if (real_of(syntax.dtype) == DType::f32 || is_half(syntax.dtype)) {
    return parse_as<std::uint32_t, float>(input, offset, line, syntax, order);
  }
  return parse_as<std::uint32_t, double>(input, offset, line, syntax, order);
}

}  // namespace einloom
