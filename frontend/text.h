// Small text helpers shared by printers: indentation, counts with units, joins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace einloom {

// Collects lines at an indentation.
class Writer {
 public:
  void line(std::string_view text);
  void blank() { out_ += '\n'; }
  void in() { ++depth_; }
  void out() { --depth_; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  int depth_ = 0;
};

std::string human_bytes(double bytes);                             // "1.5 MiB"
std::string human_count(double count);                             // "2.1e+09" or "1234"
std::string shape_text(const std::vector<std::int64_t>& extents);  // "50x40", "scalar" for order 0
std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace einloom
