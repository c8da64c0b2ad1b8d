// A direct contraction built by hand, run through generated code, and computed again by plain loops in double
// precision.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "codegen/codegen.h"
#include "planner/target.h"

namespace einloom::testing {

// A dense tensor of any type in memory of its own; strides of any sign.
struct Data {
  TensorDesc desc;
  std::vector<unsigned char> bytes;
  std::int64_t origin = 0;  // element (0, ..., 0), in elements from the start

  void* address() { return bytes.data() + origin * static_cast<std::int64_t>(size_of(desc.dtype)); }
  std::complex<double> get(std::int64_t offset) const;
  void set(std::int64_t offset, std::complex<double> value);
};
Data make_data(TensorDesc desc);
void fill(Data& data, std::mt19937& random);  // small whole numbers, exact in every type

struct GettProblem {
  std::string a, b, c;  // a label a mode
  std::map<char, std::int64_t> extents;
  DType a_type = DType::f64, b_type = DType::f64, compute = DType::f64, c_type = DType::f64;
  Semiring semiring = Semiring::plus_times;
  bool scaled = false, accumulates = false;
  std::complex<double> alpha = 1, beta = 1;
  std::vector<std::int64_t> a_strides, b_strides, c_strides;  // empty: row-major
  Gett tiles;                                                 // mr, nr, mc, nc, kc
  int units = 2;
  int vector_bytes = 0;  // 0: the machine's
  double flops = 6e10;   // of the target: a slow one makes work worth sharing
};

Target host_target();  // the machine's own vectors, so that what is generated can run here
Step make_step(const GettProblem& problem);

// Runs the problem with whole-number data and returns the number of elements of C that differ from plain loops.
// Elements of C's memory that the contraction does not name must keep their bytes: each that does not counts too.
std::int64_t mismatches(const GettProblem& problem);

}  // namespace einloom::testing
