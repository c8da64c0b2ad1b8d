// Level formats: names, parsing, filling in.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "error.h"
#include "tensor_desc.h"

namespace einloom {

namespace {

constexpr std::string_view letters = "dcns";  // one a Level, in its order

// The mode order after the colon: "2,0,1".
std::vector<int> parse_order(const std::string& text, std::size_t at) {
  std::vector<int> order;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data() + at;; ++p) {
    int mode = 0;
    const auto [stop, status] = std::from_chars(p, end, mode);
    if (status != std::errc{} || mode < 0) {
      throw Error::input("a mode order is numbers separated by ',', such as 2,0,1", text,
                         static_cast<std::size_t>(p - text.data()));
    }
    order.push_back(mode);
    if (stop == end) return order;
    if (*stop != ',') {
      throw Error::input("expected ',' between the modes of a mode order", text,
                         static_cast<std::size_t>(stop - text.data()));
    }
    p = stop;
  }
}

std::vector<Level> parse_levels(const std::string& text, std::size_t size) {
  std::vector<Level> levels;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t level = letters.find(text[i]);
    if (level == std::string_view::npos) {
      throw Error::input(
          "a format is csf, coo, csr, csc, dense, or one letter a level: d(ense), c(ompressed), n(onunique), "
          "s(ingleton)",
          text, i);
    }
    levels.push_back(static_cast<Level>(level));
  }
  return levels;
}

}  // namespace

const char* name(Level level) {
  static constexpr const char* names[] = {"dense", "compressed", "nonunique", "singleton"};
  return names[static_cast<int>(level)];
}

const char* name(Layout layout) {
  static constexpr const char* names[] = {"dense", "csf", "coo"};
  return names[static_cast<int>(layout)];
}

Format csf(std::vector<int> order) { return {std::vector<Level>(order.size(), Level::compressed), std::move(order)}; }

// Without an order the singletons are left for resolve() to fill in.
Format coo(std::vector<int> order) {
  std::vector<Level> levels(std::max<std::size_t>(order.size(), 1), Level::singleton);
  levels[0] = Level::nonunique;
  return {std::move(levels), std::move(order)};
}

Format csr() { return {{Level::dense, Level::compressed}, {0, 1}}; }

Format csc() { return {{Level::dense, Level::compressed}, {1, 0}}; }

Format parse_format(const std::string& text, int order) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string word = text.substr(0, colon);
  if (word.empty())
    throw Error::input("an empty format: expected csf, coo, csr, csc, dense or one letter a level", text, 0);
  Format format;
  if (word == "csf") {
    format.levels.assign(static_cast<std::size_t>(std::max(order, 0)), Level::compressed);
  } else if (word == "dense") {
    format.levels.assign(static_cast<std::size_t>(std::max(order, 0)), Level::dense);
  } else if (word == "coo") {
    format = coo();
  } else if (word == "csr") {
    format = csr();
  } else if (word == "csc") {
    format = csc();
  } else {
    format.levels = parse_levels(text, colon);
  }
  if (colon < text.size()) format.order = parse_order(text, colon + 1);
  try {
    return resolve(std::move(format), order);
  } catch (const Error& error) {
    throw Error::input(error.message(), text, 0);
  }
}

std::string to_string(const Format& format) {
  std::string out;
  for (const Level level : format.levels) out += letters[static_cast<std::size_t>(level)];
  if (!std::is_sorted(format.order.begin(), format.order.end()))
    out += fmt::format(":{}", fmt::join(format.order, ","));
  return out.empty() ? "csf" : out;
}

Format resolve(Format format, int order) {
  if (order < 0) throw Error::input(fmt::format("a tensor cannot have {} modes", order));
  const auto modes = static_cast<std::size_t>(order);
  if (format.levels.empty()) format.levels.assign(modes, Level::compressed);
  if (format.levels == std::vector<Level>{Level::nonunique}) {
    format.levels.resize(modes, Level::singleton);
  }
  if (format.order.empty()) {
    format.order.resize(modes);
    std::iota(format.order.begin(), format.order.end(), 0);
  }
  if (format.levels.size() != modes) {
    throw Error::input(
        fmt::format("a format of {} levels does not fit a tensor of {} modes", format.levels.size(), modes));
  }
  std::vector<int> sorted = format.order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t m = 0; m < std::max(sorted.size(), modes); ++m) {
    if (sorted.size() != modes || sorted[m] != static_cast<int>(m)) {
      throw Error::input(
          fmt::format("the mode order {} does not name each of {} modes once", fmt::join(format.order, ","), modes));
    }
  }
  for (std::size_t l = 0; l < modes; ++l) {
    if (format.levels[l] != Level::singleton) continue;
    if (l == 0 || format.levels[l - 1] == Level::dense || format.levels[l - 1] == Level::compressed) {
      throw Error::input(fmt::format("level {} is singleton, which must follow a nonunique or singleton level", l));
    }
  }
  return format;
}

}  // namespace einloom
