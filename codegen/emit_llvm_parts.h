// Pieces of LLVM IR text that need no state: type names, constants, the search functions.
#pragma once

#include <string>

#include "kernel.h"

namespace einloom {

inline int parts(DType type) { return is_complex(type) ? 2 : 1; }
const char* memory_scalar(DType type);  // of one part, as it lies in memory: bool is i8, halves are i16
std::string vector_of(const std::string& scalar, int lanes);
std::string memory_type(DType type, int lanes);                      // of one part
std::string value_type(Type type);                                   // of one part of a value
std::string suffix(Type type);                                       // of an overloaded intrinsic: "f32", "v8f64"
std::string zero(int lanes, const char* scalar, const char* value);  // the constant `value` in every lane
std::string float_text(double value, bool single);
std::string search_function(Search how, DType type);  // definition of @search_METHOD_TYPE

std::string conversion_function(const std::string& name);  // definition of @f16_to_float or @float_to_f16

}  // namespace einloom
