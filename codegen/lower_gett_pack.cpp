#include <algorithm>
#include <cstdlib>

#include "lower_gett.h"

namespace einloom::gett {

// True where indices [index, index + count) differ in the group's innermost label alone.
Id Lowering::runs_on(const Group& group, Id index, Id count) {
  if (group.linear()) return b_.boolean(true);
  const Id extent = b_.index(group.inner_extent());
  return b_.binary(Op::less_equal, b_.add(b_.rem(index, group.inner_extent()), count), extent);
}

// How many neighbours to move at once where a panel or tile crosses from one run to the next: a power of two of at most
// `lanes`, less where the innermost extent is a multiple of it and thus never straddled.
int Lowering::piece_of(const Group& group) const {
  int piece = s_.lanes;
  if (group.linear()) return piece;
  while (piece > 1 && group.inner_extent() % piece != 0) piece /= 2;
  return piece * 4 >= s_.lanes && piece > 1 ? piece : s_.lanes;
}

Value Lowering::load_input(Operand operand, Id offset, int lanes) {
  const DType stored = step_.inputs[static_cast<std::size_t>(operand)].desc.dtype;
  const int buffer = in_[operand];
  auto convert = [&](Id x) {
    return b_.convert_operand(step_.semiring, lifted_ ? b_.convert(x, DType::boolean) : x, element_);
  };
  if (!is_complex(stored)) {
    Value value{convert(b_.load(buffer, offset, lanes)), -1};
    if (parts_ == 2) value.im = b_.splat(b_.constant(element_, 0), lanes);
    return value;
  }
  const Id at = b_.mul(offset, b_.index(2));
  const Id re = b_.load(buffer, at), im = b_.load(buffer, b_.add(at, b_.index(1)));
  if (parts_ == 2) return {convert(re), convert(im)};
  // Complex values are computed on as bool alone, elsewhere the compute type is complex too.
  const Id any = b_.binary(Op::either, b_.convert(re, DType::boolean), b_.convert(im, DType::boolean));
  return {b_.convert(any, element_), -1};
}

void Lowering::store_packed(const Side& side, int buffer, Id at, const Value& value) {
  b_.store(buffer, at, value.re);
  const int run = side.operand == A ? k_run_ : 1;
  if (parts_ == 2) b_.store(buffer, b_.add(at, b_.index(std::int64_t{side.width} * run)), value.im);
}

// Panels of rows [first, first + count) at `base`, one after another.
void Lowering::pack_panels(const Side& side, const Block& block, int buffer, Id base, Id first, Id count) {
  const std::int64_t panel = s_.kc * parts_;
  b_.loop(
      b_.index(0), count,
      [&](Id row) {
        const Id valid = b_.let(b_.binary(Op::minimum, b_.index(side.width), b_.sub(count, row)));
        pack_panel(side, block, buffer, b_.let(b_.add(base, b_.mul(row, b_.index(panel)))), b_.let(b_.add(first, row)),
                   valid);
      },
      Binding::serial, side.width);
}

// A's rows run along k: the panel holds k_run_ elements of each row, then the next k_run_ of each, the last ones maybe
// fewer.
void Lowering::pack_along_k(const Block& block, int buffer, Id base, Id valid) {
  const Side side{A, &m_, s_.mr};
  const Id zero = b_.index(0), run = b_.index(k_run_), whole = b_.let(b_.mul(b_.div(block.k_count, k_run_), run));
  auto copy = [&](Id r, const std::function<Value(Id k, int lanes)>& value) {
    const Id to = b_.let(b_.add(base, b_.mul(r, run)));
    const Id per_k = b_.index(std::int64_t{s_.mr} * parts_);
    auto vectors = [&](Id k) { store_packed(side, buffer, b_.add(to, b_.mul(k, per_k)), value(k, k_run_)); };
    b_.loop(zero, whole, vectors, Binding::serial, k_run_);
    const Id rest = b_.let(b_.add(to, b_.mul(whole, per_k)));
    b_.loop(whole, block.k_count,
            [&](Id k) { store_packed(side, buffer, b_.add(rest, b_.sub(k, whole)), value(k, 1)); });
  };
  b_.loop(zero, valid, [&](Id r) {
    const Id from = b_.let(b_.add(block.batch_a, a_rows_.at(b_, r)));
    copy(r, [&](Id k, int lanes) { return load_input(A, b_.let(b_.add(from, a_k_.at(b_, k))), lanes); });
  });
  b_.loop(valid, b_.index(s_.mr), [&](Id r) {
    copy(r, [&](Id, int lanes) {
      const Id nothing = b_.splat(b_.constant(element_, 0), lanes);
      return Value{nothing, nothing};
    });
  });
}

void Lowering::pack_panel(const Side& side, const Block& block, int buffer, Id base, Id first, Id valid) {
  Offsets& rows = side.operand == A ? a_rows_ : b_cols_;
  const Offsets& ks = side.operand == A ? a_k_ : b_k_;
  const Id origin = side.operand == A ? block.batch_a : block.batch_b;
  const Id zero = b_.index(0), width = b_.index(side.width), step = b_.index(std::int64_t{side.width} * parts_);
  rows.start(b_, first, valid);
  if (side.operand == A && k_run_ > 1) return pack_along_k(block, buffer, base, valid);

  auto along_k = [&](const std::function<void(Id, Id)>& body) {
    b_.loop(zero, block.k_count, [&](Id k) { body(b_.let(ks.at(b_, k)), b_.let(b_.add(base, b_.mul(k, step)))); });
  };
  auto row_origin = [&](Id r) { return b_.let(b_.add(origin, rows.at(b_, r))); };
  // `count` rows from row r, side by side in memory.
  auto vectors = [&](Id r, int count) {
    const Id from = row_origin(r);
    along_k([&](Id k, Id to) {
      for (int done = 0, lanes = s_.lanes; done < count; done += lanes) {
        while (lanes > count - done) lanes /= 2;
        const Id at = b_.index(done);
        const Value value = load_input(side.operand, b_.add(b_.add(from, k), at), lanes);
        store_packed(side, buffer, b_.add(b_.add(to, r), at), value);
      }
    });
  };
  // Rows [r0, r1) with any strides; the loops are ordered so that reads are as near to each other as can be.
  const bool rows_are_near =
      std::llabs(side.group->inner_stride(side.operand)) < std::llabs(k_.inner_stride(side.operand));
  auto one_by_one = [&](Id r0, Id r1) {
    auto copy = [&](Id from, Id to) { store_packed(side, buffer, to, load_input(side.operand, b_.let(from), 1)); };
    if (rows_are_near) {
      along_k([&](Id k, Id to) {
        const Id from = b_.let(b_.add(origin, k));
        b_.loop(r0, r1, [&](Id r) { copy(b_.add(from, rows.at(b_, r)), b_.add(to, r)); });
      });
    } else {
      b_.loop(r0, r1, [&](Id r) {
        const Id from = row_origin(r);
        along_k([&](Id k, Id to) { copy(b_.add(from, k), b_.add(to, r)); });
      });
    }
  };
  auto pad = [&] {
    b_.branch(b_.binary(Op::less, valid, width), [&] {
      along_k([&](Id, Id to) {
        const Id nothing = b_.constant(element_, 0);
        b_.loop(valid, width, [&](Id r) { store_packed(side, buffer, b_.add(to, r), {nothing, nothing}); });
      });
    });
  };

  const bool complex_input = is_complex(step_.inputs[static_cast<std::size_t>(side.operand)].desc.dtype);
  const int piece = std::min(piece_of(*side.group), side.width);
  if (side.group->inner_stride(side.operand) != 1 || complex_input || piece == 1) {
    one_by_one(zero, valid);
    return pad();
  }
  const Id run = runs_on(*side.group, first, width);
  b_.branch(
      b_.binary(Op::both, b_.binary(Op::less_equal, width, valid), run), [&] { vectors(zero, side.width); },
      [&] {
        b_.loop(
            zero, valid,
            [&](Id r) {
              const Id fits = b_.binary(Op::less_equal, b_.add(r, b_.index(piece)), valid);
              const Id piece_run = runs_on(*side.group, b_.add(first, r), b_.index(piece));
              b_.branch(
                  b_.binary(Op::both, fits, piece_run), [&] { vectors(r, piece); },
                  [&] { one_by_one(r, b_.let(b_.binary(Op::minimum, valid, b_.add(r, b_.index(piece))))); });
            },
            Binding::serial, piece);
        pad();
      });
}

}  // namespace einloom::gett
