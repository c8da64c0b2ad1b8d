// The environment: the one place that reads environment variables. Values are read afresh at each call.
#pragma once

#include <string>

namespace einloom {

int environment_threads();  // EINLOOM_THREADS, 0 when unset; throws Error(input) unless it is a whole number from 1 to
                            // 4096
std::string cache_directory();  // EINLOOM_CACHE_DIR, $XDG_CACHE_HOME/einloom, ~/.cache/einloom; empty when none is set
bool environment_no_color();    // NO_COLOR is set and not empty

}  // namespace einloom
