#include "lower_gett.h"

namespace einloom::gett {

void Lowering::tile(const Block& block, Id row, Id col, Id a_at, Id b_at, Id strip_at) {
  start_sums(block, strip_at);
  micro_kernel(block, a_at, b_at);
  finish_tile(block, row, col, strip_at);
}

void Lowering::start_sums(const Block& block, Id strip_at) {
  const Id count = b_.index(std::int64_t{parts_} * s_.mr * (s_.nr / s_.lanes));
  auto clear = [&] {
    const Id none = lifted_ ? b_.constant(element_, 0) : b_.identity(step_.semiring, element_);
    b_.loop(
        b_.index(0), count, [&](Id i) { b_.store(sums_, i, b_.splat(none, s_.lanes)); }, Binding::unroll);
  };
  auto resume = [&] {
    b_.loop(
        b_.index(0), count,
        [&](Id i) { b_.store(sums_, i, b_.load(strip_, b_.add(strip_at, b_.mul(i, b_.index(s_.lanes))), s_.lanes)); },
        Binding::unroll);
  };
  if (direct_) return clear();
  b_.branch(b_.binary(Op::equal, block.k_block, b_.index(0)), clear, resume);
}

// sums += a panel of A times a panel of B. The inner loop over a run of k stays a loop: unrolled, it spills sums.
void Lowering::micro_kernel(const Block& block, Id a_at, Id b_at) {
  const Id run = b_.index(k_run_);
  const Id per_a = b_.index(std::int64_t{s_.mr} * parts_), per_b = b_.index(std::int64_t{s_.nr} * parts_);
  auto updates = [&](Id k) {
    const Id a_k = b_.let(b_.add(a_at, b_.mul(k, per_a))), b_k = b_.let(b_.add(b_at, b_.mul(k, per_b)));
    if (k_run_ == 1) return rank_one_update(block, a_k, b_k);
    const bool whole = k_.size % s_.kc == 0 && s_.kc % k_run_ == 0;
    const Id count = whole ? run : b_.let(b_.binary(Op::minimum, run, b_.sub(block.k_count, k)));
    b_.loop(b_.index(0), count,
            [&](Id i) { rank_one_update(block, b_.let(b_.add(a_k, i)), b_.let(b_.add(b_k, b_.mul(i, per_b)))); });
  };
  b_.loop(b_.index(0), block.k_count, updates, Binding::serial, k_run_);
}

// sums += a column of A's panel times a row of B's, at these places in the panels.
void Lowering::rank_one_update(const Block& block, Id a_k, Id b_k) {
  const int vectors = s_.nr / s_.lanes;
  const Id zero = b_.index(0), lanes = b_.index(s_.lanes), per_row = b_.index(vectors);
  auto multiply_add = [&](Id a, Id b, Id sum) {
    if (lifted_) return b_.binary(Op::either, sum, b_.binary(Op::both, a, b));
    if (step_.semiring == Semiring::plus_times && is_float(element_)) return b_.fma(a, b, sum);
    return b_.reduction(step_.semiring, sum, b_.combine(step_.semiring, a, b));
  };
  auto update = [&](Id at, Id a, Id b) { b_.store(sums_, at, multiply_add(a, b, b_.load(sums_, at))); };
  auto load_row = [&](Id v) { b_.store(b_row_, v, b_.load(block.packed_b, b_.add(b_k, b_.mul(v, lanes)), s_.lanes)); };
  b_.loop(zero, b_.index(std::int64_t{vectors} * parts_), load_row, Binding::unroll);
  auto row = [&](Id r) {
    const Id a_at = b_.add(a_k, b_.mul(r, b_.index(k_run_)));
    const Id re = b_.let(b_.splat(b_.load(packed_a_, a_at), s_.lanes));
    auto real = [&](Id v) { update(b_.add(b_.mul(r, per_row), v), re, b_.load(b_row_, v)); };
    if (parts_ == 1) return b_.loop(zero, per_row, real, Binding::unroll);
    const Id im_scalar = b_.let(b_.load(packed_a_, b_.add(a_at, b_.index(std::int64_t{s_.mr} * k_run_))));
    const Id im = b_.let(b_.splat(im_scalar, s_.lanes));
    const Id minus = b_.let(b_.splat(b_.sub(b_.constant(element_, -0.0), im_scalar), s_.lanes));
    auto complex = [&](Id v) {
      const Id b_re = b_.load(b_row_, v), b_im = b_.load(b_row_, b_.add(per_row, v));
      const Id at = b_.add(b_.mul(r, per_row), v), at_im = b_.add(at, b_.index(std::int64_t{s_.mr} * vectors));
      update(at, re, b_re);
      update(at, minus, b_im);
      update(at_im, re, b_im);
      update(at_im, im, b_re);
    };
    b_.loop(zero, per_row, complex, Binding::unroll);
  };
  b_.loop(zero, b_.index(s_.mr), row, Binding::unroll);
}

// Which way the old result enters, by block of k: the first applies beta or overwrites, later ones add.
void Lowering::by_round(const Block& block, const std::function<void(Old)>& body) {
  const Old first = step_.accumulates ? Old::scaled : Old::none;
  if (!direct_ || s_.k_blocks == 1) return body(first);
  b_.branch(
      b_.binary(Op::equal, block.k_block, b_.index(0)), [&] { body(first); }, [&] { body(Old::add); });
}

void Lowering::finish_tile(const Block& block, Id row, Id col, Id strip_at) {
  auto write = [&] {
    if (!vector_out_) return store_edge(block, row, col);
    const Id rows_fit = b_.binary(Op::less_equal, b_.add(row, b_.index(s_.mr)), block.rows);
    const Id cols_fit = b_.binary(Op::less_equal, b_.add(col, b_.index(s_.nr)), block.cols);
    const Id run = runs_on(n_, b_.add(block.n0, col), b_.index(s_.nr));
    b_.branch(
        b_.binary(Op::both, b_.binary(Op::both, rows_fit, cols_fit), run),
        [&] { by_round(block, [&](Old old) { store_full(block, row, col, old); }); },
        [&] { store_edge(block, row, col); });
  };
  if (direct_) return write();
  auto keep = [&] {
    b_.loop(
        b_.index(0), b_.index(std::int64_t{parts_} * s_.mr * (s_.nr / s_.lanes)),
        [&](Id i) { b_.store(strip_, b_.add(strip_at, b_.mul(i, b_.index(s_.lanes))), b_.load(sums_, i)); },
        Binding::unroll);
  };
  b_.branch(b_.binary(Op::less, block.k_block, b_.index(s_.k_blocks - 1)), keep, write);
}

void Lowering::store_full(const Block& block, Id row, Id col, Old old) {
  const Id per_row = b_.index(s_.nr / s_.lanes);
  const Id origin = b_.let(b_.add(block.batch_c, c_cols_.at(b_, col)));
  b_.loop(
      b_.index(0), b_.index(s_.mr),
      [&](Id r) {
        const Id at = b_.let(b_.add(origin, c_rows_.at(b_, b_.add(row, r))));
        b_.loop(
            b_.index(0), per_row,
            [&](Id v) {
              store_vector(b_.add(at, b_.mul(v, b_.index(s_.lanes))),
                           {b_.load(sums_, b_.add(b_.mul(r, per_row), v)), -1}, s_.lanes, old);
            },
            Binding::unroll);
      },
      Binding::unroll);
}

// Tiles that are cut off, or whose columns are not side by side in C: by way of a buffer.
void Lowering::store_edge(const Block& block, Id row, Id col) {
  const std::int64_t tile_size = std::int64_t{s_.mr} * s_.nr;
  const int piece = piece_of(n_);
  const Id zero = b_.index(0);
  b_.loop(
      zero, b_.index(parts_ * tile_size / s_.lanes),
      [&](Id i) { b_.store(tile_, b_.mul(i, b_.index(s_.lanes)), b_.load(sums_, i)); }, Binding::unroll);
  const Id rows = b_.let(b_.binary(Op::minimum, b_.index(s_.mr), b_.sub(block.rows, row)));
  const Id cols = b_.let(b_.binary(Op::minimum, b_.index(s_.nr), b_.sub(block.cols, col)));
  by_round(block, [&](Old old) {
    b_.loop(zero, rows, [&](Id r) {
      const Id to = b_.let(b_.add(block.batch_c, c_rows_.at(b_, b_.add(row, r))));
      const Id from = b_.let(b_.mul(r, b_.index(s_.nr)));
      auto one_by_one = [&](Id first, Id last) {
        b_.loop(first, last, [&](Id c) {
          Value sum{b_.load(tile_, b_.add(from, c)), -1};
          if (parts_ == 2) sum.im = b_.load(tile_, b_.add(b_.add(from, c), b_.index(tile_size)));
          store_scalar(b_.let(b_.add(to, c_cols_.at(b_, b_.add(col, c)))), sum, old);
        });
      };
      if (!vector_out_ || piece == 1) return one_by_one(zero, cols);
      b_.loop(
          zero, cols,
          [&](Id c) {
            const Id fits = b_.binary(Op::less_equal, b_.add(c, b_.index(piece)), cols);
            const Id run = runs_on(n_, b_.add(b_.add(block.n0, col), c), b_.index(piece));
            b_.branch(
                b_.binary(Op::both, fits, run),
                [&] {
                  store_vector(b_.let(b_.add(to, c_cols_.at(b_, b_.add(col, c)))),
                               {b_.load(tile_, b_.add(from, c), piece), -1}, piece, old);
                },
                [&] { one_by_one(c, b_.let(b_.binary(Op::minimum, cols, b_.add(c, b_.index(piece))))); });
          },
          Binding::serial, piece);
    });
  });
}

// The value to store from a finished sum: alpha times it, and beta times the old result.
Value Lowering::finish(Value sum, Old old, const std::function<Value()>& load_old) {
  const DType real = real_of(final_);
  const bool complex = is_complex(final_), plus = step_.semiring == Semiring::plus_times && !lifted_;
  const int lanes = b_.node(sum.re).type.lanes;
  sum.re = b_.let(b_.convert(sum.re, real));
  if (complex) sum.im = parts_ == 2 ? b_.let(b_.convert(sum.im, real)) : b_.splat(b_.constant(real, 0), lanes);
  auto factor = [&](Slot::Kind kind) {
    return b_.splat(b_.convert(b_.argument(b_.slot(kind), DType::f64), real), lanes);
  };
  auto times = [&](const Value& x, Slot::Kind re, Slot::Kind im) {
    if (!complex) return Value{b_.let(b_.mul(x.re, factor(re))), -1};
    return Value{b_.let(b_.sub(b_.mul(x.re, factor(re)), b_.mul(x.im, factor(im)))),
                 b_.let(b_.add(b_.mul(x.re, factor(im)), b_.mul(x.im, factor(re))))};
  };
  if (step_.scaled) sum = times(sum, Slot::Kind::alpha_re, Slot::Kind::alpha_im);
  if (old == Old::none) return sum;
  Value before = load_old();
  if (!plus) return {b_.let(b_.reduction(lifted_ ? Semiring::or_and : step_.semiring, before.re, sum.re)), -1};
  if (old == Old::scaled) before = times(before, Slot::Kind::beta_re, Slot::Kind::beta_im);
  sum.re = b_.let(b_.add(before.re, sum.re));
  if (complex) sum.im = b_.let(b_.add(before.im, sum.im));
  return sum;
}

void Lowering::store_vector(Id at, const Value& sum, int lanes, Old old) {
  const Value value = finish(sum, old, [&] { return Value{b_.let(b_.convert(b_.load(out_, at, lanes), final_)), -1}; });
  b_.store(out_, at, b_.convert(value.re, accumulator(step_.output.desc.dtype)));
}

void Lowering::store_scalar(Id at, const Value& sum, Old old) {
  const DType stored = step_.output.desc.dtype, real = real_of(final_);
  const bool complex = is_complex(stored);
  const Id re_at = complex ? b_.let(b_.mul(at, b_.index(2))) : at, im_at = b_.add(re_at, b_.index(1));
  const Value value = finish(sum, old, [&] {
    Value before{b_.let(b_.convert(b_.load(out_, re_at), real)), -1};
    if (complex) before.im = b_.let(b_.convert(b_.load(out_, im_at), real));
    return before;
  });
  b_.store(out_, re_at, b_.convert(value.re, accumulator(real_of(stored))));
  if (complex) b_.store(out_, im_at, b_.convert(value.im, real_of(stored)));
}

}  // namespace einloom::gett
