// Plan: in what order a Contraction is computed, with which strategy per step.
//
// A Plan is a list of steps over operands, temporaries and the output. Every step is self-contained: its labels are
// numbered for itself, adjacent modes that move together in every tensor of the step are folded into one, a dense
// operand's repeated label (diagonal) is one mode whose stride is the sum, and dense modes of extent 1 are gone. So
// equal steps of different expressions give the same kernel. Pure function of its arguments; same arguments, same Plan.
//
//   Plan plan = make_plan(contraction, options, target);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/contraction.h"
#include "target.h"

namespace einloom {

// Which tensor: an operand of the Contraction, a temporary of the Plan, or the result.
struct Ref {
  enum class Kind : std::uint8_t { operand, temp, output };
  Kind kind = Kind::operand;
  int index = 0;
  bool operator==(const Ref&) const = default;
};

// A tensor as one step sees it: one step label a mode. Dense: extents and strides after folding, labels distinct.
// Sparse: modes as stored in the tensor (never folded); labels may repeat (a diagonal).
struct Access {
  Ref tensor;
  std::vector<int> labels;
  TensorDesc desc;
};

enum class Strategy : std::uint8_t {
  loops,     // one generated loop nest over any number of dense and sparse inputs, dense or sparse result
  gett,      // two dense inputs: packed panels and a register-blocked micro-kernel
  realign,   // a sparse input stored anew in another mode order or format (a primitive of the runtime, no kernel)
  sparsify,  // a dense input to a sparse result, identities dropped (a primitive of the runtime, no kernel)
};
const char* name(Strategy strategy);

// How a level that does not lead a loop is brought to the leader's coordinate.
enum class Search : std::uint8_t {
  linear,  // two-finger: step from the last position
  gallop,  // doubling steps from the last position, then binary search
  binary,  // binary search in the whole fiber
};
const char* name(Search search);

struct Loop {
  int label = 0;
  int leader = -1;  // input whose level at this label is iterated; -1: the dense range 0..extent-1
  struct Follower {
    int input;
    Search search;
  };
  std::vector<Follower>
      followers;  // inputs whose compressed levels at this label are searched; dense levels are located
};

// Where products meet their sums.
enum class Accumulate : std::uint8_t {
  direct,     // dense result: summed labels innermost, register sum, one store an element (every element is stored)
  in_place,   // dense result in the compute type: set to identity (or beta*out) first, then reduced into
  partial,    // dense result, outermost loop is a summed label: one private copy a chunk, merged in chunk order
  append,     // sparse result in order: rows appended as they come
  workspace,  // sparse result: dense workspace over the trailing `workspace` output labels, flushed in order
  append_unsorted,  // sparse result: rows appended in any order, sorted and combined afterwards
};
const char* name(Accumulate accumulate);

struct Gett {
  std::vector<int> batch, m, n, k;      // step labels, outermost (largest stride in C, or in A for k) first
  int mr = 0, nr = 0;                   // register tile, elements; nr is a multiple of the vector length
  std::int64_t mc = 0, nc = 0, kc = 0;  // cache tiles, elements
};

struct Step {
  Strategy strategy = Strategy::loops;
  Semiring semiring = Semiring::plus_times;
  DType compute = DType::f64;
  std::vector<std::int64_t> extents;  // of each step label
  std::vector<int> label_ids;  // contraction label (or -1-… for folded ones) of each step label: for display only
  std::vector<std::string> label_names;
  std::vector<Access> inputs;
  Access output;             // dense result: desc.dtype is the stored type
  TensorDesc whole_output;   // dense result: every mode, unfolded, as in_place initialises it (differs for diagonals)
  bool scaled = false;       // this step applies alpha
  bool accumulates = false;  // this step applies beta (reads the old result)

  // Sparse result read from a dense temporary, whose cells say nothing of which coordinates were reached: rows that
  // hold just the identity are not stored.
  bool drops_identities = false;

  // loops
  std::vector<Loop> loops;  // outermost first; every step label once
  Accumulate accumulate = Accumulate::direct;
  int workspace = 0;  // Accumulate::workspace: how many trailing output levels the workspace spans
  int chunks = 1;     // pieces the outermost loop is cut into; more than one run in parallel
  // gett
  Gett gett;

  double flops = 0, bytes = 0;  // estimate: multiply-adds count 2; bytes moved to and from memory
  double nnz_out = 0;           // expected stored values of the result
  double seconds = 0;           // estimate
  std::string note;             // why this and not another, one line for explain
};

struct Temp {
  TensorDesc desc;          // sparse ones: nodes are estimates
  std::int64_t offset = 0;  // dense: bytes into the workspace
  std::int64_t bytes = 0;
};

struct Plan {
  std::vector<Step> steps;
  std::vector<Temp> temps;
  std::int64_t workspace_bytes = 0;  // one block for all dense temps, 64-byte aligned offsets
  // Slicing: steps [body_begin, body_end) run once for every coordinate of the sliced contraction labels, with operands
  // (dense ones) and output addressed at that coordinate. Empty `sliced`: body runs once.
  std::vector<int> sliced;
  std::size_t body_begin = 0, body_end = 0;
  // Of a sum that is sliced: the dense temporary that gathers it. The runtime sets it to the identity once before the
  // body; the body's last step reduces into it (`accumulates` with beta 1), a copy after the body finishes the output.
  // -1: none.
  int zeroed_temp = -1;

  TensorDesc output;                                          // of the result as the last step leaves it
  double naive_flops = 0, flops = 0, bytes = 0, seconds = 0;  // naive: one loop nest over all labels
  std::int64_t peak_bytes = 0;                                // intermediates and workspace
  std::string path_text;    // "(0,1),(0,1)": operand positions as opt_einsum counts them
  std::string path_method;  // "optimal", "greedy", "given", "single", "fused"
};

struct PlanOptions {
  Layout layout = Layout::dense;  // of the result
  bool has_output = false;        // a dense output was given: its type and strides
  TensorDesc output;
  bool scaled = false;       // alpha != 1
  bool accumulates = false;  // beta != 0
  std::string path = "auto";
  std::string strategy =
      "auto";  // auto, or loops/gett/fused/pairwise: forces it where it is legal, otherwise Error(input)
  std::int64_t memory_limit = 0;  // bytes of intermediates; 0: none
};

Plan make_plan(const Contraction& contraction, const PlanOptions& options, const Target& target,
               Trace* trace = nullptr);
std::string path_report(const Plan& plan, const Contraction& contraction, const Target& target);  // the stage "path"
std::string to_string(const Plan& plan);                                                          // the stage "plan"

}  // namespace einloom
