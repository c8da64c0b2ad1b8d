// Semirings: (reduction, combination) pairs over which a contraction is taken.
//
// The additive identity is what an empty sum gives and what a sparse operand leaves out; it absorbs under the
// combination. Over integers the identity of min-plus is the largest value and of max-plus the smallest, and both
// absorb: identity + x = identity. max-times is for non-negative values, identity 0. or-and has value type bool.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace einloom {

enum class Semiring : std::uint8_t { plus_times, min_plus, max_plus, max_times, or_and };
inline constexpr int semiring_count = 5;

const char* name(Semiring semiring);                            // "plus-times", "min-plus", ...
std::optional<Semiring> parse_semiring(std::string_view text);  // the names above, '_' for '-' allowed

}  // namespace einloom
