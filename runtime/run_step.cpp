// One step of a run: the argument block filled, its phases launched, its sparse rows gathered.
#include <algorithm>
#include <bit>
#include <cstring>

#include "bounds.h"
#include "frontend/error.h"
#include "parallel.h"
#include "program.h"
#include "sink.h"

namespace einloom {

namespace {

void sort_indices(std::int64_t* first, std::int64_t count) { std::sort(first, first + count); }

std::uint64_t as_slot(const void* p) { return reinterpret_cast<std::uint64_t>(p); }
std::uint64_t as_slot(double x) { return std::bit_cast<std::uint64_t>(x); }

class StepRun {
 public:
  StepRun(const ProgramImpl& program, std::size_t number, RunState& state)
      : program_(program), step_(program.plan.steps[number]), state_(state), kernel_(program.kernels[number]) {}

  void run() {
    switch (step_.strategy) {
      case Strategy::realign:
        return put_sparse(reformat(sparse_input(0), step_.output.desc.format, step_.semiring));
      case Strategy::sparsify: {
        const Access& in = step_.inputs[0];
        Tensor dense =
            Tensor::view_raw(in.desc.dtype, const_cast<void*>(address(in)), in.desc.extents, in.desc.strides);
        return put_sparse(reformat(dense, step_.output.desc.format, step_.semiring));
      }
      default:
        return run_kernel();
    }
  }

 private:
  const Tensor& sparse_input(std::size_t k) const {
    const Ref& ref = step_.inputs[k].tensor;
    return ref.kind == Ref::Kind::operand ? state_.operands[static_cast<std::size_t>(ref.index)]
                                          : state_.sparse_temps[static_cast<std::size_t>(ref.index)];
  }

  // Element (0,...,0) of a dense tensor, or a sparse tensor's values.
  const void* address(const Access& a) const {
    if (a.desc.sparse) {
      const Tensor& t = a.tensor.kind == Ref::Kind::operand
                            ? state_.operands[static_cast<std::size_t>(a.tensor.index)]
                            : state_.sparse_temps[static_cast<std::size_t>(a.tensor.index)];
      return t.storage()->data;
    }
    const auto item = static_cast<std::int64_t>(size_of(a.desc.dtype));
    switch (a.tensor.kind) {
      case Ref::Kind::operand: {
        const auto k = static_cast<std::size_t>(a.tensor.index);
        return static_cast<const char*>(state_.operands[k].storage()->data) + state_.operand_shift[k] * item;
      }
      case Ref::Kind::temp:
        return static_cast<const char*>(state_.workspace.get()) +
               program_.plan.temps[static_cast<std::size_t>(a.tensor.index)].offset;
      case Ref::Kind::output:
        break;
    }
    return static_cast<const char*>(state_.output->data) + state_.output_shift * item;
  }

  void put_sparse(Tensor t) {
    if (step_.output.tensor.kind == Ref::Kind::temp)
      state_.sparse_temps[static_cast<std::size_t>(step_.output.tensor.index)] = std::move(t);
    else
      state_.sparse_output =
          t.dtype() == program_.plan.output.dtype ? std::move(t) : t.to_dtype(program_.plan.output.dtype);
  }

  const Storage* storage_of(int input) const { return sparse_input(static_cast<std::size_t>(input)).storage().get(); }

  void fill_slots(std::vector<std::uint64_t>& args) {
    const Source& source = *kernel_.source;
    const Options& o = program_.request.options;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const Slot& s = source.slots[i];
      const std::size_t level = static_cast<std::size_t>(s.level);
      switch (s.kind) {
        case Slot::Kind::values:
          args[i] = as_slot(address(step_.inputs[static_cast<std::size_t>(s.input)]));
          break;
        case Slot::Kind::pos:
          args[i] = as_slot(storage_of(s.input)->levels[level].pos.get());
          break;
        case Slot::Kind::crd:
          args[i] = as_slot(storage_of(s.input)->levels[level].crd.get());
          break;
        case Slot::Kind::nodes:
          args[i] = static_cast<std::uint64_t>(storage_of(s.input)->desc.nodes[level]);
          break;
        case Slot::Kind::output:
          args[i] = as_slot(address(step_.output));
          break;
        case Slot::Kind::alpha_re:
          args[i] = as_slot(o.alpha.real());
          break;
        case Slot::Kind::alpha_im:
          args[i] = as_slot(o.alpha.imag());
          break;
        // A body that runs once a slice adds to what earlier slices left.
        case Slot::Kind::beta_re:
          args[i] = as_slot(adds_to_temp() ? 1.0 : o.beta.real());
          break;
        case Slot::Kind::beta_im:
          args[i] = as_slot(adds_to_temp() ? 0.0 : o.beta.imag());
          break;
        case Slot::Kind::shared:
          args[i] = as_slot(shared_.get());
          break;
        case Slot::Kind::sinks:
          args[i] = as_slot(sinks_ ? static_cast<const void*>(sinks_->data()) : nullptr);
          break;
        case Slot::Kind::sort_function:
          args[i] = reinterpret_cast<std::uint64_t>(&sort_indices);
          break;
        case Slot::Kind::bounds:
        case Slot::Kind::scratch:
        case Slot::Kind::outer:
          args[i] = 0;
          break;  // set for each phase, thread and round
      }
    }
  }
  bool adds_to_temp() const { return step_.output.tensor.kind == Ref::Kind::temp; }

  void set_slot(std::vector<std::uint64_t>& args, Slot::Kind kind, std::uint64_t value) const {
    for (std::size_t i = 0; i < args.size(); ++i)
      if (kernel_.source->slots[i].kind == kind) args[i] = value;
  }

  void launch(const Phase& phase, const std::vector<std::uint64_t>& args) {
    const EntryFunction entry = kernel_.code->entries[static_cast<std::size_t>(phase.entry)];
    const int threads = program_.context->threads;
    auto body = [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::uint64_t> mine = args;
      if (scratch_) {
        char* block = static_cast<char*>(scratch_.get()) + scratch_stride_ * thread_slot();
        set_slot(mine, Slot::Kind::scratch, as_slot(block));
      }
      entry(begin, end, mine.data());
    };
    if (phase.chunks <= 1 || threads == 1)
      body(0, phase.chunks);
    else
      parallel_for(phase.chunks, 1, body, threads);
  }

  void run_kernel() {
    const Source& source = *kernel_.source;
    const bool sparse = step_.output.desc.sparse;
    if (source.shared_bytes) shared_ = allocate(source.shared_bytes, "memory shared by a kernel's threads");
    if (source.scratch_bytes) {
      scratch_stride_ = (source.scratch_bytes + 127) / 64 * 64;
      scratch_ = allocate(checked_mul(scratch_stride_, max_thread_slots(), "a kernel's scratch memory"),
                          "a kernel's scratch memory");
    }
    if (sparse) {
      std::int64_t chunks = 1;
      for (const Phase& p : source.phases) chunks = std::max(chunks, p.chunks);
      std::vector<std::int64_t> extents;
      for (int mode : step_.output.desc.format.order)
        extents.push_back(step_.output.desc.extents[static_cast<std::size_t>(mode)]);
      sinks_.emplace(chunks, key_layout(extents), step_.compute, step_.semiring,
                     step_.accumulate != Accumulate::append_unsorted);
    }
    std::vector<std::uint64_t> args(source.slots.size());
    fill_slots(args);
    for (std::int64_t round = 0; round < source.outer_count; ++round) {
      set_slot(args, Slot::Kind::outer, static_cast<std::uint64_t>(round));
      for (const Phase& phase : source.phases) {
        if (phase.chunks == 0) continue;
        std::vector<std::int64_t> bounds;
        if (phase.partition != Phase::Partition::none) {
          bounds = chunk_bounds(phase, phase.partition == Phase::Partition::nodes ? storage_of(phase.input) : nullptr);
          set_slot(args, Slot::Kind::bounds, as_slot(bounds.data()));
        }
        launch(phase, args);
      }
    }
    if (sparse) {
      const TensorDesc& d = step_.output.desc;
      put_sparse(build_levels(sinks_->take(), d.extents, d.format, step_.semiring));
    }
  }

  const ProgramImpl& program_;
  const Step& step_;
  RunState& state_;
  const StepKernel& kernel_;
  Bytes shared_, scratch_;
  std::int64_t scratch_stride_ = 0;
  std::optional<SinkSet> sinks_;
};

}  // namespace

void run_step(const ProgramImpl& program, std::size_t step, RunState& state) { StepRun(program, step, state).run(); }

}  // namespace einloom
