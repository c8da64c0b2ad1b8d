// Whether a result's memory may be written while the operands are read.
#pragma once

#include "storage.h"

namespace einloom {

// Throws Error(input) when two elements of `out` share memory, or an element of `out` shares memory with operand number
// `k`. Exact: views that interleave without touching are fine.
void check_output_overlap(const Storage& out);
void check_operand_overlap(const Storage& out, const Storage& operand, std::size_t k);

}  // namespace einloom
