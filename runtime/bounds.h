// How a phase's range is cut into chunks.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/codegen.h"
#include "storage.h"

namespace einloom {

// chunks + 1 bounds. `led`: the storage of the sparse input whose level-0 positions are cut, in pieces of about equal
// leaves.
std::vector<std::int64_t> chunk_bounds(const Phase& phase, const Storage* led);

}  // namespace einloom
