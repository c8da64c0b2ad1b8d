// How much memory there is. Private to the runtime room.
#pragma once

#include <cstdint>

#include "runtime/storage.h"

namespace einloom {

std::int64_t available_memory();  // bytes this process can still have: machine, control groups, limits
void check_memory(std::int64_t bytes, const char* what);  // throws Error(memory) when a large request cannot be met
Bytes allocate_elements(std::int64_t count, std::int64_t size, const char* what);  // allocate(count * size), checked

template <class T>
T* as(const Bytes& bytes) {
  return static_cast<T*>(bytes.get());
}

}  // namespace einloom
