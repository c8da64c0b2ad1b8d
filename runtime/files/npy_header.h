// The header of an .npy file. Private to the runtime room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/files/input.h"

namespace einloom {

struct NpyHeader {
  std::string descr;  // "<f8"
  bool fortran = false;
  std::vector<std::int64_t> shape;
  std::int64_t data = 0;  // offset of the first element
};
// `what` names the array in messages ("x.npy", or "x.npz: data"). Throws Error(input).
NpyHeader read_npy_header(const Input& input);

}  // namespace einloom
