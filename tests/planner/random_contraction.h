// Contractions for tests: from a short text, or drawn at random.
#pragma once

#include <random>
#include <string>

#include "planner/plan.h"

namespace einloom {

// "ij,jk->ik" over one-letter labels, with the descriptors given.
Contraction contraction_of(const std::string& text, std::vector<TensorDesc> operands, DType result = DType::f64);
// Row-major operands of one type, each label with the extent given, in alphabetical order of labels.
Contraction dense_contraction(const std::string& text, const std::string& labels,
                              const std::vector<std::int64_t>& extents, DType type = DType::f64);

struct Draw {
  int most_operands = 4, most_labels = 5, most_modes = 3;
  std::vector<std::int64_t> extents{0, 1, 2, 3};
  bool sparse = true;
};
struct Case {
  Contraction contraction;
  PlanOptions options;
  Target target;
  std::string text;  // for failure messages
};
Case random_case(std::mt19937_64& random, const Draw& draw);

}  // namespace einloom
