// Target: plain facts about a device. The runtime fills it; planner and codegen only read it.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/dtype.h"

namespace einloom {

struct Target {
  enum class Kind { cpu, cuda };
  Kind kind = Kind::cpu;
  std::string arch = "x86-64";  // LLVM's name of the processor, or "sm_90a"
  std::string features;         // LLVM feature string, "+avx2,+fma"
  std::string triple = "x86_64-unknown-linux-gnu";
  int vector_bytes = 16;  // widest vector registers worth using: 16, 32 or 64
  int vector_registers = 16;
  int units = 1;                                           // cores in use, or multiprocessors
  std::int64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 8 << 20;  // bytes; l1 and l2 a core
  std::int64_t memory = std::int64_t{8} << 30;
  double flops_f32 = 1e11, flops_f64 = 5e10;  // a second, all units
  double bytes_per_second = 2e10;

  double flops(DType type) const {
    return type == DType::f64 || type == DType::c128 || type == DType::i64 ? flops_f64 : flops_f32;
  }
};

}  // namespace einloom
