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

Value Lowering::load_input(Operand operand, Id offset, int lanes) {
  const DType stored = step_.inputs[static_cast<std::size_t>(operand)].desc.dtype;
  const int buffer = in_[operand];
  auto convert = [&](Id x) { return b_.convert(lifted_ ? b_.convert(x, DType::boolean) : x, element_); };
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
  if (parts_ == 2) b_.store(buffer, b_.add(at, b_.index(side.width)), value.im);
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

void Lowering::pack_panel(const Side& side, const Block& block, int buffer, Id base, Id first, Id valid) {
  Offsets& rows = side.operand == A ? a_rows_ : b_cols_;
  const Offsets& ks = side.operand == A ? a_k_ : b_k_;
  const Id origin = side.operand == A ? block.batch_a : block.batch_b;
  const Id zero = b_.index(0), width = b_.index(side.width), step = b_.index(std::int64_t{side.width} * parts_);
  rows.start(b_, first, valid);

  auto along_k = [&](const std::function<void(Id, Id)>& body) {
    b_.loop(zero, block.k_count, [&](Id k) { body(b_.let(ks.at(b_, k)), b_.let(b_.add(base, b_.mul(k, step)))); });
  };
  auto pad = [&](Id at) {
    const Id nothing = b_.constant(element_, 0);
    store_packed(side, buffer, at, {nothing, nothing});
  };
  // Any strides; the loops are ordered so that reads are as near to each other as can be.
  auto element_by_element = [&] {
    if (std::llabs(side.group->inner_stride(side.operand)) < std::llabs(k_.inner_stride(side.operand))) {
      along_k([&](Id k, Id to) {
        const Id from = b_.let(b_.add(origin, k));
        b_.loop(zero, valid, [&](Id r) {
          store_packed(side, buffer, b_.add(to, r), load_input(side.operand, b_.let(b_.add(from, rows.at(b_, r))), 1));
        });
        b_.loop(valid, width, [&](Id r) { pad(b_.add(to, r)); });
      });
      return;
    }
    b_.loop(zero, valid, [&](Id r) {
      const Id from = b_.let(b_.add(origin, rows.at(b_, r)));
      along_k([&](Id k, Id to) {
        store_packed(side, buffer, b_.add(to, r), load_input(side.operand, b_.let(b_.add(from, k)), 1));
      });
    });
    b_.loop(valid, width, [&](Id r) { along_k([&](Id, Id to) { pad(b_.add(to, r)); }); });
  };
  const bool complex_input = is_complex(step_.inputs[static_cast<std::size_t>(side.operand)].desc.dtype);
  if (side.group->inner_stride(side.operand) != 1 || complex_input || s_.lanes == 1) return element_by_element();
  const Id full = b_.binary(Op::both, b_.binary(Op::less_equal, width, valid), runs_on(*side.group, first, width));
  auto vectors = [&] {
    const Id from = b_.let(b_.add(origin, rows.at(b_, zero)));
    along_k([&](Id k, Id to) {
      for (int done = 0, lanes = s_.lanes; done < side.width; done += lanes) {
        while (lanes > side.width - done) lanes /= 2;
        const Id at = b_.index(done);
        store_packed(side, buffer, b_.add(to, at), load_input(side.operand, b_.add(b_.add(from, k), at), lanes));
      }
    });
  };
  b_.branch(full, vectors, element_by_element);
}

}  // namespace einloom::gett
