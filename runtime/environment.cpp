#include "runtime/environment.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "frontend/error.h"

namespace einloom {

namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

int environment_threads() {
  const std::string_view text = variable("EINLOOM_THREADS");
  if (text.empty()) return 0;
  int threads = 0;
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (status != std::errc{} || stop != text.data() + text.size() || threads < 1 || threads > 4096) {
    throw Error::input(fmt::format("EINLOOM_THREADS is '{}': expected a whole number from 1 to 4096", text));
  }
  return threads;
}

std::string cache_directory() {
  if (const auto own = variable("EINLOOM_CACHE_DIR"); !own.empty()) return std::string(own);
  // The XDG specification has relative paths ignored.
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty() && xdg[0] == '/') return fmt::format("{}/einloom", xdg);
  if (const auto home = variable("HOME"); !home.empty()) return fmt::format("{}/.cache/einloom", home);
  return {};
}

bool environment_no_color() { return !variable("NO_COLOR").empty(); }

}  // namespace einloom
