#include <fmt/format.h>

#include "frontend/error.h"
#include "frontend/text.h"
#include "overlap.h"
#include "program.h"

namespace einloom {

namespace {

void check_operands(const ProgramImpl& p, Operands operands) {
  const auto& want = p.request.operands;
  if (operands.size() != want.size())
    throw Error::input(fmt::format("the program takes {} operands, {} were given", want.size(), operands.size()));
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const TensorDesc& have = operands[k].desc();
    if (have.extents != want[k].extents)
      throw Error::input(fmt::format("operand {} has shape {}, the program was compiled for {}", k,
                                     shape_text(have.extents), shape_text(want[k].extents)));
    if (have.dtype != want[k].dtype)
      throw Error::input(
          fmt::format("operand {} is {}, the program was compiled for {}", k, name(have.dtype), name(want[k].dtype)));
    if (have.sparse != want[k].sparse || have.format != want[k].format)
      throw Error::input(fmt::format("operand {} is stored as {}, the program was compiled for {}", k,
                                     have.sparse ? to_string(have.format) : "dense",
                                     want[k].sparse ? to_string(want[k].format) : "dense"));
  }
}

// Kernels are made for exact strides and index widths; operands that differ there are served by a program of their own.
bool serves(const ProgramImpl& p, Operands operands, const Tensor* out) {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const TensorDesc& have = operands[k].desc();
    const TensorDesc& want = p.request.operands[k];
    if (have.sparse ? have.wide != want.wide : have.strides != want.strides) return false;
  }
  if (!out) return true;
  const TensorDesc& d = out->desc();
  return p.plan_options.layout == Layout::dense && !d.sparse && d.dtype == p.plan.output.dtype &&
         d.extents == p.plan.output.extents && d.strides == p.plan.output.strides;
}

Bytes workspace_for(const Plan& plan) {
  return plan.workspace_bytes ? allocate(plan.workspace_bytes, "intermediate results") : Bytes();
}

// Runs the body for every coordinate of the sliced labels.
void run_slices(const ProgramImpl& p, RunState& state, const std::function<void()>& body) {
  const Plan& plan = p.plan;
  const Contraction& c = p.contraction;
  if (plan.sliced.empty()) return body();
  std::vector<std::int64_t> at(plan.sliced.size(), 0);
  for (int l : plan.sliced)
    if (c.extents[static_cast<std::size_t>(l)] == 0) return;
  auto shift_of = [&](const std::vector<int>& labels, const std::vector<std::int64_t>& strides) {
    std::int64_t shift = 0;
    for (std::size_t m = 0; m < labels.size(); ++m)
      for (std::size_t i = 0; i < at.size(); ++i)
        if (plan.sliced[i] == labels[m]) shift += at[i] * strides[m];
    return shift;
  };
  for (;;) {
    for (std::size_t k = 0; k < state.operands.size(); ++k)
      if (!state.operands[k].sparse()) state.operand_shift[k] = shift_of(c.inputs[k], state.operands[k].desc().strides);
    if (state.output) state.output_shift = shift_of(c.output, state.output->desc.strides);
    body();
    std::size_t i = at.size();
    while (i > 0) {
      --i;
      if (++at[i] < c.extents[static_cast<std::size_t>(plan.sliced[i])]) break;
      at[i] = 0;
      if (i == 0) {
        std::fill(state.operand_shift.begin(), state.operand_shift.end(), 0);
        state.output_shift = 0;
        return;
      }
    }
  }
}

}  // namespace

Tensor ProgramImpl::run(Operands operands, Tensor* out) const {
  check_operands(*this, operands);
  if (!serves(*this, operands, out)) {
    const TensorDesc* desc = out ? &out->desc() : nullptr;
    Options options = request.options;
    if (out && out->desc().sparse) throw Error::input("the output is sparse: only dense outputs can be written into");
    std::shared_ptr<ProgramImpl> other =
        obtain_program(*context, request.expr.text, operands, options, desc, [&] { return request.expr; });
    return other->run(operands, out);
  }
  if (operands.size() == sources.size()) return run_terms(operands, out);
  std::vector<Tensor> terms;
  for (int s : sources) terms.push_back(operands[static_cast<std::size_t>(s)]);
  return run_terms(terms, out);
}

Tensor ProgramImpl::run_terms(Operands operands, Tensor* out) const {
  RunState state;
  state.operands = operands;
  state.operand_shift.assign(operands.size(), 0);
  Tensor result;
  if (out) {
    if (out->storage()->read_only) throw Error::input("the output is a read-only view");
    check_output_overlap(*out->storage());
    for (std::size_t k = 0; k < operands.size(); ++k) check_operand_overlap(*out->storage(), *operands[k].storage(), k);
    result = *out;
    state.output = result.storage().get();
  } else if (plan_options.layout == Layout::dense) {
    result = make_dense(plan.output.dtype, plan.output.extents);
    state.output = result.storage().get();
  }
  state.workspace = workspace_for(plan);
  state.sparse_temps.resize(plan.temps.size());

  for (std::size_t s = 0; s < plan.body_begin; ++s) run_step(*this, s, state);
  if (plan.zeroed_temp >= 0) {
    const Temp& t = plan.temps[static_cast<std::size_t>(plan.zeroed_temp)];
    fill_identity(t.desc.dtype, contraction.semiring, static_cast<char*>(state.workspace.get()) + t.offset,
                  t.desc.size());
  }
  const std::size_t body_end = plan.body_end > plan.body_begin ? plan.body_end : plan.body_begin;
  run_slices(*this, state, [&] {
    for (std::size_t s = plan.body_begin; s < body_end; ++s) run_step(*this, s, state);
  });
  for (std::size_t s = body_end; s < plan.steps.size(); ++s) run_step(*this, s, state);
  return plan_options.layout == Layout::dense ? result : state.sparse_output;
}

}  // namespace einloom
