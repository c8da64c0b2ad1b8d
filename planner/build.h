// What the planner's files share. Private to this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan.h"

namespace einloom {

// A tensor while planning: a contraction label a mode. Labels may repeat and have extent 1.
struct Item {
  Ref tensor;
  std::vector<int> labels;
  TensorDesc desc;
};

// The path in "static single assignment" ids: operands first, then the result of each step.
struct Path {
  std::vector<std::vector<int>> steps;
  std::string method;
};

// What is planned: the contraction (without sliced labels) and where its result goes.
struct Problem {
  Contraction contraction;
  PlanOptions options;
  Target target;
  std::vector<Item> operands;
  Item output;
  bool no_sparse_temps = false;
};

// One step in labels of its own. Dense accesses are folded, sparse ones are as stored.
struct Local {
  std::vector<int> ids;
  std::vector<std::int64_t> extents;
  std::vector<std::string> names;
  std::vector<Access> inputs;
  Access output;
  TensorDesc whole_output;
  bool diagonal = false;    // the output repeats a label
  bool free_order = false;  // the output is a sparse temporary: its modes follow the loops
  Semiring semiring = Semiring::plus_times;
  DType compute = DType::f64;
};

// A loop nest chosen for a Local; loops are in the Local's labels.
struct Nest {
  std::vector<int> order;
  std::vector<Loop> loops;
  Accumulate accumulate = Accumulate::direct;
  int workspace = 0;
  int chunks = 1;
  bool through_temp = false;                // the output cannot be reduced into: a temporary and a copy are needed
  std::vector<std::vector<int>> realigned;  // new mode order an input, empty: as it is
  double seconds = 0, leaves = 0, rows = 0, bytes = 0;
  std::string note;
};

// estimate.cpp: expected sizes, coordinates taken as uniform and independent.
double cells_of(const std::vector<std::int64_t>& extents);
double expected_distinct(double cells, double draws);
double stored_values(const TensorDesc& desc);
double density(const TensorDesc& desc);
double bytes_of(const TensorDesc& desc);
// Distinct prefixes a level: `nodes`, but a COO group counts as the trie it stands for.
std::vector<double> trie_nodes(const TensorDesc& desc);
// The same had the tensor been stored compressed in another mode order.
std::vector<double> trie_nodes(const TensorDesc& desc, const std::vector<int>& order);
double realign_seconds(const TensorDesc& desc, const Target& target);  // to store a sparse tensor anew
double flops_per_leaf(std::size_t inputs, bool sums, DType compute);

// path_*.cpp
Path optimal_path(const Problem& problem);
Path greedy_path(const Problem& problem);
Path given_path(const std::string& text, std::size_t operands);
Path automatic_path(const Problem& problem);
std::string path_text(const Path& path, std::size_t operands);
// Labels of the result of each step, in the order a temporary stores them; the last step's are the output's.
std::vector<std::vector<int>> result_labels(const Problem& problem, const Path& path);

// fold.cpp
Local localise(const Problem& problem, const std::vector<Item>& inputs, const Item& output, bool free_order);
std::string label_name(const Contraction& contraction, int label);

// choose_loops.cpp, choose_gett.cpp
Nest choose_loops(const Local& local, const Problem& problem);
bool gett_legal(const Local& local);
bool gett_worthwhile(const Local& local, const Target& target);
Step gett_step(const Local& local, const Target& target);

// tile_transpose.cpp: cuts labels of an elementwise step that reads across the grain; nothing where that does not
// apply.
std::optional<Nest> tile_transpose(Local& local, const Problem& problem);

// build_steps.cpp: the steps of one path, run once a coordinate of the sliced labels (which `problem` no longer has).
// build_gathered is for summed ones: the body adds to a temporary, from which the output of `whole` is finished.
Plan build_plan(const Problem& problem, const Path& path, const std::vector<int>& sliced = {});
Plan build_gathered(const Problem& whole, Problem problem, const Path& path, const std::vector<int>& sliced);
// workspace.cpp: where temporaries lie.
void place_temps(Plan& plan);
// slice.cpp: keeps to the memory limit or throws Error(memory) with the least that is needed; `least` is the peak
// unsliced.
Plan slice_plan(const Problem& problem, const Path& path, std::int64_t least);

}  // namespace einloom
