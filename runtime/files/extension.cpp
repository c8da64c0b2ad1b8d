#include "runtime/files/extension.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "frontend/error.h"

namespace einloom {

namespace {

// Cuts the part behind the last dot of the file's own name and returns it in lower case.
std::string cut(std::string& name) {
  const std::size_t dot = name.find_last_of('.');
  if (dot == std::string::npos) return {};
  std::string out = name.substr(dot + 1);
  name.resize(dot);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return out;
}

}  // namespace

Extension extension_of(const std::string& path) {
  if (path.empty()) throw Error::input("an empty file name");
  std::string name = path.substr(path.find_last_of('/') + 1);
  Extension out;
  out.kind = cut(name);
  if (out.kind == "gz") {
    out.gzip = true;
    out.kind = cut(name);
  }
  static constexpr std::string_view text[] = {"tns", "mtx", "csv"};
  const bool is_text = std::find(std::begin(text), std::end(text), out.kind) != std::end(text);
  if (!is_text && (out.gzip || (out.kind != "npy" && out.kind != "npz"))) {
    throw Error::input(fmt::format(
        "{}: the extension names no format: expected .npy, .npz, .tns, .mtx, .csv, the last three also with .gz",
        path));
  }
  return out;
}

}  // namespace einloom
