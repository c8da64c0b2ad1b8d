// ProgramImpl: a plan with its kernels loaded, and what a run needs to know.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "context.h"
#include "frontend/contraction.h"
#include "kernel_cache.h"
#include "planner/plan.h"
#include "storage.h"

namespace einloom {

// What is asked of build_program(): an expression, its operands' descriptors, options and, if given, the output's
// descriptor.
struct Request {
  Expr expr;
  std::vector<TensorDesc> operands;
  Options options;
  std::optional<TensorDesc> output;
};

// A step's generated text with what calls need to know, and its loaded code. Both empty for primitives of the runtime.
struct StepKernel {
  std::shared_ptr<const Source> source;
  KernelHandle code;
};

struct ProgramImpl {
  ContextImpl* context = nullptr;  // outlives this: it owns the caches, and a Program handle keeps it alive
  Request request;
  std::vector<int> sources;  // term_sources()
  Contraction contraction;
  PlanOptions plan_options;
  Plan plan;
  std::vector<StepKernel> kernels;  // one a step
  Trace trace;
  RunStats stats;

  Tensor run(Operands operands, Tensor* out) const;

 private:
  Tensor run_terms(Operands terms, Tensor* out) const;
};

// The operand each term of the expression reads: the k-th for the k-th term, or, when a name of index notation is
// repeated and one operand a distinct name was given, the operand of that name.
std::vector<int> term_sources(const Request& request);
std::vector<TensorDesc> term_operands(const Request& request);
BindOptions bind_options_of(const Options& options);

std::shared_ptr<ProgramImpl> build_program(ContextImpl& context, Request request);
// The program for these operands, from the cache if it is there. `text` is the key's first part.
std::shared_ptr<ProgramImpl> obtain_program(ContextImpl& context, std::string_view text, Operands operands,
                                            const Options& options, const TensorDesc* output,
                                            const std::function<Expr()>& parse_it);

// One run's tensors while steps execute.
struct RunState {
  Operands operands;
  Storage* output = nullptr;  // dense result, as addressed by this slice
  Tensor sparse_output;       // sparse result, once made
  Bytes workspace;
  std::vector<Tensor> sparse_temps;
  std::vector<std::int64_t> operand_shift;  // elements, one an operand: where the slice begins
  std::int64_t output_shift = 0;
};
void run_step(const ProgramImpl& program, std::size_t step, RunState& state);

}  // namespace einloom
