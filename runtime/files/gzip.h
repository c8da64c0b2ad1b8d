// Writing of .gz. Private to the runtime room.
#pragma once

#include <string_view>

#include "runtime/files/output.h"

namespace einloom {

// One gzip member that holds `text`; members may follow one another in a file.
void write_gzip(Output& output, std::string_view text);

}  // namespace einloom
