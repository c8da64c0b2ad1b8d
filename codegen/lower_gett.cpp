#include "lower_gett.h"

#include <algorithm>
#include <cstdlib>

#include "frontend/error.h"

namespace einloom {

namespace gett {

Group make_group(const Step& step, const std::vector<int>& labels) {
  Group group;
  const Access* accesses[3] = {&step.inputs[0], &step.inputs[1], &step.output};
  for (int label : labels) {
    Group::Mode mode;
    mode.extent = step.extents.at(static_cast<std::size_t>(label));
    for (int x = 0; x < 3; ++x) {
      const Access& access = *accesses[x];
      for (std::size_t i = 0; i < access.labels.size(); ++i)
        if (access.labels[i] == label) mode.stride[x] = access.desc.strides.at(i);
    }
    group.size = checked_mul(group.size, mode.extent, "a contraction's index space");
    if (mode.extent != 1) group.modes.push_back(mode);
  }
  return group;
}

Id offset_of(Builder& b, const Group& group, Operand operand, Id index) {
  if (group.modes.empty()) return b.index(0);
  if (group.linear()) return b.mul(index, b.index(group.modes[0].stride[operand]));
  Id rest = b.let(index), sum = b.index(0);
  for (std::size_t i = group.modes.size(); i-- > 0;) {
    const Group::Mode& mode = group.modes[i];
    const Id digit = i ? b.rem(rest, std::max<std::int64_t>(1, mode.extent)) : rest;
    sum = b.add(sum, b.mul(digit, b.index(mode.stride[operand])));
    if (i) rest = b.let(b.div(rest, std::max<std::int64_t>(1, mode.extent)));
  }
  return b.let(sum);
}

Offsets::Offsets(Builder& b, const Group& group, Operand operand, std::int64_t capacity, const std::string& table_name)
    : group_(&group), operand_(operand) {
  if (!group.linear()) table_ = b.scratch(DType::i64, capacity, table_name);
}

void Offsets::start(Builder& b, Id first, Id count) {
  first_ = first;
  if (table_ < 0) return;
  b.loop(b.index(0), count, [&](Id i) { b.store(table_, i, offset_of(b, *group_, operand_, b.add(first, i))); });
}

Id Offsets::at(Builder& b, Id i) const {
  return table_ < 0 ? offset_of(b, *group_, operand_, b.add(first_, i)) : b.load(table_, i);
}

Lowering::Lowering(const Step& step, const Target& target) : step_(step), b_(kernel_) {
  if (step.inputs.size() != 2)
    throw Error::internal("lower_gett: a step of " + std::to_string(step.inputs.size()) + " inputs, expected 2");
  for (const Access* access : {&step.inputs[0], &step.inputs[1], &step.output})
    if (access->desc.sparse) throw Error::internal("lower_gett: a sparse tensor, expected dense ones");
  if (is_complex(step.compute) && step.semiring != Semiring::plus_times)
    throw Error::internal(std::string("lower_gett: complex numbers under ") + name(step.semiring));
  if (step.compute == DType::boolean && (step.semiring == Semiring::min_plus || step.semiring == Semiring::max_plus))
    throw Error::internal(std::string("lower_gett: bool under ") + name(step.semiring));
  if (step.scaled && (step.semiring != Semiring::plus_times || step.compute == DType::boolean))
    throw Error::internal(std::string("lower_gett: alpha under ") + name(step.semiring) + " of " + name(step.compute));
  batch_ = make_group(step, step.gett.batch);
  m_ = make_group(step, step.gett.m);
  // Rows of C may lie in any order: the one in which A is read best.
  std::stable_sort(m_.modes.begin(), m_.modes.end(), [](const Group::Mode& x, const Group::Mode& y) {
    return std::llabs(x.stride[A]) > std::llabs(y.stride[A]);
  });
  n_ = make_group(step, step.gett.n);
  k_ = make_group(step, step.gett.k);

  const DType stored = step.output.desc.dtype;
  lifted_ = step.compute == DType::boolean;
  element_ = lifted_ ? DType::i32 : real_of(step.compute);
  parts_ = is_complex(step.compute) ? 2 : 1;
  final_ = accumulator(is_half(stored) ? step.compute : promote(step.compute, stored));
  // Rows of A that run along k are packed four elements at a time.
  constexpr int run = 4;
  if (k_.inner_stride(A) == 1 && m_.inner_stride(A) != 1 && (k_.linear() || k_.inner_extent() % run == 0) &&
      k_.size >= run && !is_complex(step.inputs[0].desc.dtype))
    k_run_ = run;
  s_ = choose_sizes(step, target, element_, stored != step.compute, batch_.size, m_.size, n_.size, k_.size);
  direct_ = s_.k_blocks == 1 || stored == step.compute;
  vector_out_ = n_.inner_stride(C) == 1 && !is_complex(stored) && !is_complex(final_) && final_ != DType::boolean &&
                stored != DType::boolean;
}

Kernel Lowering::run() {
  if (batch_.size == 0 || m_.size == 0 || n_.size == 0) {
    nothing();
    return std::move(kernel_);
  }
  // Operands are seen through their real type, so that parts of complex numbers can be loaded apart.
  const DType types[2] = {real_of(step_.inputs[0].desc.dtype), real_of(step_.inputs[1].desc.dtype)};
  in_[0] = b_.buffer(Buffer::Role::input, {types[0], 1}, "a0", b_.slot(Slot::Kind::values, 0));
  in_[1] = b_.buffer(Buffer::Role::input, {types[1], 1}, "a1", b_.slot(Slot::Kind::values, 1));
  out_ = b_.buffer(Buffer::Role::output, {real_of(step_.output.desc.dtype), 1}, "out", b_.slot(Slot::Kind::output));
  packed_a_ = b_.scratch(element_, checked_mul(checked_mul(s_.mc, s_.kc, "packed panels"), parts_, "packed panels"),
                         "packed_a");
  const std::int64_t b_size = checked_mul(checked_mul(s_.nc, s_.kc, "packed panels"), parts_, "packed panels");
  packed_b_ = s_.shared ? b_.shared(element_, b_size, "packed_b") : b_.scratch(element_, b_size, "packed_b");
  if (!direct_) {
    const std::int64_t rows = s_.shared ? checked_mul(s_.m_blocks, s_.mc, "partial sums") : s_.mc;
    const std::int64_t size = checked_mul(checked_mul(rows, s_.nc, "partial sums"), parts_, "partial sums");
    strip_ = s_.shared ? b_.shared(element_, size, "partial") : b_.scratch(element_, size, "partial");
  }
  const int vectors = s_.nr / s_.lanes;
  sums_ = b_.registers({element_, s_.lanes}, std::int64_t{parts_} * s_.mr * vectors, "sum");
  b_row_ = b_.registers({element_, s_.lanes}, std::int64_t{parts_} * vectors, "row");
  tile_ = b_.buffer(Buffer::Role::stack, {element_, 1}, "tile", -1, std::int64_t{parts_} * s_.mr * s_.nr);
  a_rows_ = Offsets(b_, m_, A, s_.mr, "a_rows");
  a_k_ = Offsets(b_, k_, A, s_.kc, "a_k");
  b_cols_ = Offsets(b_, n_, B, s_.nr, "b_cols");
  b_k_ = Offsets(b_, k_, B, s_.kc, "b_k");
  c_rows_ = Offsets(b_, m_, C, s_.mc, "c_rows");
  c_cols_ = Offsets(b_, n_, C, s_.nc, "c_cols");
  if (s_.shared)
    shared_shape();
  else
    own_shape();
  return std::move(kernel_);
}

void Lowering::nothing() {
  b_.entry("main", [&] { b_.comment("an extent is 0: nothing to store"); });
  kernel_.phases.push_back({.entry = 0, .chunks = 0});
}

void Lowering::set_batch(Block& block, Id batch) {
  block.batch_a = b_.let(offset_of(b_, batch_, A, batch));
  block.batch_b = b_.let(offset_of(b_, batch_, B, batch));
  block.batch_c = b_.let(offset_of(b_, batch_, C, batch));
}

Id Lowering::k_count(Id k_block) {
  if (k_.size == 0) return b_.index(0);
  if (k_.size % s_.kc == 0) return b_.index(s_.kc);
  return b_.let(b_.binary(Op::minimum, b_.index(s_.kc), b_.sub(b_.index(k_.size), b_.mul(k_block, b_.index(s_.kc)))));
}

void Lowering::shared_shape() {
  kernel_.outer_count = checked_mul(checked_mul(batch_.size, s_.n_blocks, "rounds"), s_.k_blocks, "rounds");
  const int outer = b_.slot(Slot::Kind::outer);
  auto round = [&](Block& block) {
    const Id number = b_.let(b_.argument(outer));
    block.k_block = b_.let(b_.rem(number, s_.k_blocks));
    const Id rest = b_.let(b_.div(number, s_.k_blocks));
    block.n0 = b_.let(b_.mul(b_.rem(rest, s_.n_blocks), b_.index(s_.nc)));
    set_batch(block, b_.let(b_.div(rest, s_.n_blocks)));
    block.k_count = k_count(block.k_block);
  };
  const std::int64_t panel = s_.kc * s_.nr * parts_;

  b_.entry("pack_b", [&] {
    Block block;
    round(block);
    b_k_.start(b_, b_.let(b_.mul(block.k_block, b_.index(s_.kc))), block.k_count);
    b_.loop(b_.begin(), b_.end(), [&](Id p) {
      const Id first = b_.let(b_.add(block.n0, b_.mul(p, b_.index(s_.nr))));
      const Id valid = b_.let(b_.binary(Op::minimum, b_.index(s_.nr), b_.sub(b_.index(n_.size), first)));
      b_.branch(b_.binary(Op::less, b_.index(0), valid), [&] {
        pack_panel({B, &n_, s_.nr}, block, packed_b_, b_.let(b_.mul(p, b_.index(panel))), first, valid);
      });
    });
  });
  kernel_.phases.push_back({.entry = 0, .chunks = s_.nc / s_.nr});

  b_.entry("multiply", [&] {
    Block outer_block;
    round(outer_block);
    const Id block_n0 = outer_block.n0;
    a_k_.start(b_, b_.let(b_.mul(outer_block.k_block, b_.index(s_.kc))), outer_block.k_count);
    b_.loop(b_.begin(), b_.end(), [&](Id chunk) {
      Block block = outer_block;
      const Id mb = b_.let(b_.div(chunk, s_.splits)), ns = b_.let(b_.rem(chunk, s_.splits));
      block.m0 = b_.let(b_.mul(mb, b_.index(s_.mc)));
      block.rows = b_.let(b_.binary(Op::minimum, b_.index(s_.mc), b_.sub(b_.index(m_.size), block.m0)));
      const Id skip = b_.let(b_.mul(ns, b_.index(s_.split)));
      block.n0 = b_.let(b_.add(block_n0, skip));
      const Id left =
          b_.let(b_.binary(Op::minimum, b_.sub(b_.index(s_.nc), skip), b_.sub(b_.index(n_.size), block.n0)));
      block.cols = b_.let(b_.binary(Op::minimum, b_.index(s_.split), left));
      block.packed_b = packed_b_;
      block.packed_b_at = b_.let(b_.mul(skip, b_.index(s_.kc * parts_)));
      block.strip_at = b_.let(b_.mul(b_.add(b_.mul(mb, b_.index(s_.nc)), skip), b_.index(s_.mc * parts_)));
      b_.branch(b_.binary(Op::less, b_.index(0), block.cols), [&] { multiply(block); });
    });
  });
  kernel_.phases.push_back({.entry = 1, .chunks = checked_mul(s_.m_blocks, s_.splits, "tasks")});
}

void Lowering::own_shape() {
  b_.entry("main", [&] {
    b_.loop(b_.begin(), b_.end(), [&](Id chunk) {
      Block block;
      const Id rest = b_.let(b_.div(chunk, s_.n_blocks));
      block.n0 = b_.let(b_.mul(b_.rem(chunk, s_.n_blocks), b_.index(s_.nc)));
      block.m0 = b_.let(b_.mul(b_.rem(rest, s_.m_blocks), b_.index(s_.mc)));
      set_batch(block, b_.let(b_.div(rest, s_.m_blocks)));
      block.rows = b_.let(b_.binary(Op::minimum, b_.index(s_.mc), b_.sub(b_.index(m_.size), block.m0)));
      block.cols = b_.let(b_.binary(Op::minimum, b_.index(s_.nc), b_.sub(b_.index(n_.size), block.n0)));
      block.packed_b = packed_b_;
      block.packed_b_at = b_.index(0);
      block.strip_at = b_.index(0);
      b_.loop(b_.index(0), b_.index(s_.k_blocks), [&](Id k_block) {
        block.k_block = k_block;
        block.k_count = k_count(k_block);
        const Id k0 = b_.let(b_.mul(k_block, b_.index(s_.kc)));
        a_k_.start(b_, k0, block.k_count);
        b_k_.start(b_, k0, block.k_count);
        pack_panels({B, &n_, s_.nr}, block, packed_b_, b_.index(0), block.n0, block.cols);
        multiply(block);
      });
    });
  });
  kernel_.phases.push_back(
      {.entry = 0, .chunks = checked_mul(checked_mul(batch_.size, s_.m_blocks, "tasks"), s_.n_blocks, "tasks")});
}

// One block of rows against packed columns: packs A, then tile after tile; a panel of B stays in the first cache
// meanwhile.
void Lowering::multiply(const Block& block) {
  pack_panels({A, &m_, s_.mr}, block, packed_a_, b_.index(0), block.m0, block.rows);
  c_rows_.start(b_, block.m0, block.rows);
  c_cols_.start(b_, block.n0, block.cols);
  const std::int64_t panel_a = s_.kc * s_.mr * parts_, panel_b = s_.kc * s_.nr * parts_;
  b_.loop(
      b_.index(0), block.cols,
      [&](Id col) {
        const Id b_at = b_.let(b_.add(block.packed_b_at, b_.mul(b_.div(col, s_.nr), b_.index(panel_b))));
        b_.loop(
            b_.index(0), block.rows,
            [&](Id row) {
              const Id a_at = b_.let(b_.mul(b_.div(row, s_.mr), b_.index(panel_a)));
              const Id strip_at =
                  direct_ ? b_.index(0)
                          : b_.let(b_.add(block.strip_at,
                                          b_.mul(b_.add(b_.mul(col, b_.index(s_.mc)), b_.mul(row, b_.index(s_.nr))),
                                                 b_.index(parts_))));
              tile(block, row, col, a_at, b_at, strip_at);
            },
            Binding::serial, s_.mr);
      },
      Binding::serial, s_.nr);
}

}  // namespace gett

Kernel lower_gett(const Step& step, const Target& target) { return gett::Lowering(step, target).run(); }

}  // namespace einloom
