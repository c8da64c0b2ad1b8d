// Keys of the plan cache: everything that shapes the answer, and nothing else (never an address).
#pragma once

#include <string_view>

#include "frontend/contraction.h"
#include "frontend/hash.h"
#include "storage.h"

namespace einloom {

// Non-zero counts enter in powers of two: a sparsity that leaves its bin is planned again.
Hash text_key(std::string_view text, Operands operands, const Options& options, const TensorDesc* output);
Hash canonical_key(const Contraction& contraction, const Options& options, const TensorDesc* output);

}  // namespace einloom
