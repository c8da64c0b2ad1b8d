// Generates, compiles, loads and runs one step, phase by phase, chunk ranges last to first.
#pragma once

#include <complex>
#include <vector>

#include "codegen/codegen.h"

namespace einloom::testing {

void run_kernel(const Step& step, const Target& target, std::vector<const void*> inputs, void* output,
                std::complex<double> alpha, std::complex<double> beta);

}  // namespace einloom::testing
