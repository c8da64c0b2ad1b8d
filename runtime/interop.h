// Native pointers for programs that hand Einloom's tensors to other code.
//
// Pointers stay valid while the Tensor (or a copy of the handle) lives. Level arrays are 32- or 64-bit as desc().wide
// says.
#pragma once

#include <cstdint>

#include "einloom.h"

namespace einloom {

struct NativeLevel {
  const void* pos = nullptr;  // compressed, nonunique: one entry more than the parent level has nodes
  const void* crd = nullptr;  // compressed, nonunique, singleton: one entry a node
  std::int64_t nodes = 0;
};
NativeLevel native_level(const Tensor& tensor,
                         int level);  // throws Error(input) on a dense tensor or a level out of range

}  // namespace einloom
