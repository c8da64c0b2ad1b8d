#include "text.h"

#include <fmt/format.h>

#include <cmath>

namespace einloom {

void Writer::line(std::string_view text) {
  if (depth_ > 0) out_.append(static_cast<std::size_t>(depth_) * 2, ' ');
  out_ += text;
  out_ += '\n';
}

std::string human_bytes(double bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (std::isfinite(bytes) && std::abs(bytes) >= 1024 && unit < 6) bytes /= 1024, ++unit;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string human_count(double count) {
  if (std::abs(count) >= 1e6) return fmt::format("{:.2g}", count);
  return count == std::floor(count) ? fmt::format("{:.0f}", count) : fmt::format("{:.3g}", count);
}

std::string shape_text(const std::vector<std::int64_t>& extents) {
  if (extents.empty()) return "scalar";
  return fmt::format("{}", fmt::join(extents, "x"));
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace einloom
