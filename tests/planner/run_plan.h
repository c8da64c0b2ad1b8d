// Runs a Plan by brute force on small made-up values, and the contraction itself by its definition: the two must agree.
#pragma once

#include <string>

#include "planner/plan.h"

namespace einloom {

// Plus-times over small integers. Empty when every element agrees, otherwise the first difference.
std::string compare_with_definition(const Plan& plan, const Contraction& contraction, const PlanOptions& options,
                                    unsigned seed);

}  // namespace einloom
