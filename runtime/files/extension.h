// File names to formats. Private to the runtime room.
#pragma once

#include <string>

namespace einloom {

struct Extension {
  std::string kind;  // "npy", "npz", "tns", "mtx", "csv"
  bool gzip = false;
};
Extension extension_of(const std::string& path);  // case ignored; throws Error(input) on anything else

}  // namespace einloom
