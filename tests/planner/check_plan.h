// Checks that a Plan keeps every rule that lowering and the runtime rely on.
#pragma once

#include <string>

#include "planner/plan.h"

namespace einloom {

// Empty when the plan is legal, otherwise the first rule broken and where.
std::string check_plan(const Plan& plan, const Contraction& contraction, const PlanOptions& options,
                       const Target& target);

}  // namespace einloom
