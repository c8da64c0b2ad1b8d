// What happens to a value once every output label is bound: stored, reduced, gathered in a workspace, or appended.
#include "lower_loops.h"

#include "frontend/error.h"

namespace einloom {

namespace {

// The type arithmetic on a stored type happens in.
DType in_registers(DType stored) { return is_half(stored) ? DType::f32 : stored; }

}  // namespace

Id LoopNest::complex_or_real(Slot::Kind re, Slot::Kind im, DType type) {
  const Id real = b_.convert(b_.argument(b_.slot(re), DType::f64), type);
  if (!is_complex(type)) return real;
  const Id imaginary = b_.convert(b_.argument(b_.slot(im), DType::f64), type);
  return b_.add(real, b_.mul(imaginary, b_.constant(type, 0, 1)));
}

Id LoopNest::scaled(Id value, DType type) {
  if (!step_.scaled) return value;
  return b_.mul(complex_or_real(Slot::Kind::alpha_re, Slot::Kind::alpha_im, type), value);
}

Id LoopNest::with_old(Id value, DType type, Id offset) {
  if (!step_.accumulates) return value;
  const Id old = b_.load(out_, offset);
  if (step_.semiring != Semiring::plus_times) return b_.reduction(step_.semiring, old, value);
  return b_.add(b_.mul(complex_or_real(Slot::Kind::beta_re, Slot::Kind::beta_im, type), old), value);
}

void LoopNest::store_result(Id value, Id offset) {
  const DType type = in_registers(step_.output.desc.dtype);
  b_.store(out_, offset, with_old(scaled(b_.convert(value, type), type), type, offset));
}

Id LoopNest::linear(const std::vector<Id>& coordinates, const std::vector<std::int64_t>& extents) {
  Id at = b_.index(0);
  const std::vector<std::int64_t> strides = row_major(extents);
  for (std::size_t i = 0; i < coordinates.size(); ++i) at = b_.add(at, b_.mul(coordinates[i], b_.index(strides[i])));
  return at;
}

std::vector<Id> LoopNest::row_key(const std::vector<Id>& level_coordinates) {
  std::vector<Id> words(static_cast<std::size_t>(keys_.words), b_.index(0));
  for (std::size_t l = 0; l < level_coordinates.size(); ++l) {
    const KeyLayout::Field& f = keys_.fields[l];
    if (f.bits == 0) continue;
    Id part = level_coordinates[l];
    if (f.shift) part = b_.binary(Op::shift_left, part, b_.index(f.shift));
    Id& word = words[static_cast<std::size_t>(f.word)];
    word = b_.add(word, part);
  }
  return words;
}

void LoopNest::append_row(Id value, const std::vector<Id>& level_coordinates) {
  if (!step_.drops_identities) return b_.append(chunk_, scaled(value, step_.compute), row_key(level_coordinates));
  const Id v = b_.let(value);
  const Id reached = b_.negate_bool(b_.binary(Op::equal, v, b_.identity(step_.semiring, step_.compute)));
  b_.branch(reached, [&] { b_.append(chunk_, scaled(v, step_.compute), row_key(level_coordinates)); });
}

void LoopNest::finish(Id value) {
  auto coordinate = [&](int label) { return coordinates_[static_cast<std::size_t>(label)]; };
  switch (step_.accumulate) {
    case Accumulate::direct:
      return store_result(value, b_.let(dense_offset(step_.output, coordinates_)));
    case Accumulate::in_place:
      return b_.reduce(out_, b_.let(dense_offset(step_.output, coordinates_)), scaled(value, step_.compute),
                       step_.semiring);
    case Accumulate::partial: {
      std::vector<Id> at;
      for (int l : step_.output.labels) at.push_back(coordinate(l));
      const Id base = b_.mul(chunk_, b_.index(part_size_));
      return b_.reduce(parts_, b_.add(base, linear(at, step_.output.desc.extents)), value, step_.semiring);
    }
    case Accumulate::append:
    case Accumulate::append_unsorted: {
      std::vector<Id> at;
      for (int l : out_levels_) at.push_back(coordinate(l));
      return append_row(value, at);
    }
    case Accumulate::workspace:
      break;
  }
  std::vector<Id> at;
  std::vector<std::int64_t> extents;
  for (std::size_t l = out_levels_.size() - static_cast<std::size_t>(step_.workspace); l < out_levels_.size(); ++l) {
    at.push_back(coordinate(out_levels_[l]));
    extents.push_back(step_.extents[static_cast<std::size_t>(out_levels_[l])]);
  }
  const Id w = b_.let(linear(at, extents)), v = b_.let(value);
  b_.branch(
      b_.load(used_, w), [&] { b_.reduce(space_, w, v, step_.semiring); },
      [&] {
        b_.store(used_, w, b_.boolean(true));
        b_.store(space_, w, v);
        const Id n = b_.let(b_.load(list_count_, b_.index(0)));
        b_.store(list_, n, w);
        b_.store(list_count_, b_.index(0), b_.add(n, b_.index(1)));
      });
}

// ---- in place: the whole result is set before products are reduced into it ----

void LoopNest::write_initialise() {
  if (step_.accumulates && step_.semiring != Semiring::plus_times) return;  // the old result takes part as it is
  const TensorDesc& whole = step_.whole_output;
  Kernel& kernel = b_.kernel();
  Phase phase;
  phase.entry = static_cast<int>(kernel.entries.size());
  int bounds = -1;
  if (whole.order() > 0 && whole.size() > (1 << 16) && whole.extents[0] > 1) {
    phase.chunks = std::min<std::int64_t>(whole.extents[0], 64);
    phase.partition = Phase::Partition::extent;
    phase.extent = whole.extents[0];
    bounds = b_.buffer(Buffer::Role::index, index_type, "bounds", b_.slot(Slot::Kind::bounds));
  }
  std::function<void(std::size_t, Id)> mode = [&](std::size_t m, Id at) {
    if (m == whole.extents.size()) {
      const DType type = in_registers(whole.dtype);
      Id value = b_.identity(step_.semiring, type);
      if (step_.accumulates)
        value = b_.mul(complex_or_real(Slot::Kind::beta_re, Slot::Kind::beta_im, type), b_.load(out_, at));
      b_.store(out_, at, value);
      return;
    }
    Id first = b_.index(0), last = b_.index(whole.extents[m]);
    if (m == 0 && bounds >= 0) {
      first = b_.let(b_.load(bounds, chunk_));
      last = b_.let(b_.load(bounds, b_.add(chunk_, b_.index(1))));
    }
    const Binding binding = m + 1 == whole.extents.size() ? Binding::vector : Binding::serial;
    b_.loop(
        first, last, [&](Id i) { mode(m + 1, b_.add(at, b_.mul(i, b_.index(whole.strides[m])))); }, binding);
  };
  b_.entry("init", [&] {
    b_.loop(b_.begin(), b_.end(), [&](Id chunk) {
      chunk_ = chunk;
      mode(0, b_.index(0));
    });
  });
  kernel.phases.push_back(phase);
}

// ---- partial: a private result a chunk, merged in chunk order ----

void LoopNest::prepare_partial() {
  part_size_ = checked_product(step_.output.desc.extents, "a private copy of the result");
  parts_ = b_.shared(step_.compute, checked_mul(part_size_, step_.chunks, "private copies of the result"), "parts");
}

void LoopNest::clear_partial() {
  const Id base = b_.let(b_.mul(chunk_, b_.index(part_size_)));
  const Id none = b_.identity(step_.semiring, step_.compute);
  b_.loop(
      b_.index(0), b_.index(part_size_), [&](Id i) { b_.store(parts_, b_.add(base, i), none); }, Binding::vector);
}

void LoopNest::write_merge() {
  Kernel& kernel = b_.kernel();
  Phase phase;
  phase.entry = static_cast<int>(kernel.entries.size());
  phase.chunks = std::max<std::int64_t>(1, std::min<std::int64_t>(part_size_ / 4096, 64));
  phase.partition = Phase::Partition::extent;
  phase.extent = part_size_;
  const int bounds = b_.buffer(Buffer::Role::index, index_type, "bounds", b_.slot(Slot::Kind::bounds));
  const std::vector<std::int64_t> strides = row_major(step_.output.desc.extents);
  b_.entry("merge", [&] {
    b_.loop(b_.begin(), b_.end(), [&](Id chunk) {
      const Id first = b_.let(b_.load(bounds, chunk)), last = b_.let(b_.load(bounds, b_.add(chunk, b_.index(1))));
      b_.loop(first, last, [&](Id e) {
        const int sum = b_.registers({step_.compute, 1}, 1, "merged");
        b_.store(sum, b_.index(0), b_.load(parts_, e));
        b_.loop(b_.index(1), b_.index(step_.chunks), [&](Id c) {
          const Id part = b_.load(parts_, b_.add(b_.mul(c, b_.index(part_size_)), e));
          b_.store(sum, b_.index(0), b_.reduction(step_.semiring, b_.load(sum, b_.index(0)), part));
        });
        Id offset = b_.index(0);
        const TensorDesc& out = step_.output.desc;
        if (out.strides == strides) {
          offset = e;
        } else {
          for (std::size_t m = 0; m < strides.size(); ++m) {
            const Id digit =
                b_.rem(b_.div(e, std::max<std::int64_t>(1, strides[m])), std::max<std::int64_t>(1, out.extents[m]));
            offset = b_.add(offset, b_.mul(digit, b_.index(out.strides[m])));
          }
        }
        store_result(b_.load(sum, b_.index(0)), b_.let(offset));
      });
    });
  });
  kernel.phases.push_back(phase);
}

// ---- workspace: a dense accumulator over the trailing levels, flushed in order ----

void LoopNest::prepare_workspace() {
  std::vector<std::int64_t> extents;
  for (std::size_t l = out_levels_.size() - static_cast<std::size_t>(step_.workspace); l < out_levels_.size(); ++l)
    extents.push_back(step_.extents[static_cast<std::size_t>(out_levels_[l])]);
  space_size_ = checked_product(extents, "a workspace");
  space_ = b_.scratch(step_.compute, space_size_, "space");
  used_ = b_.scratch(DType::boolean, space_size_, "used");
  list_ = b_.scratch(DType::i64, space_size_, "list");
  list_count_ = b_.registers(index_type, 1, "count");
  b_.slot(Slot::Kind::sort_function);
}

void LoopNest::clear_workspace() {
  b_.loop(
      b_.index(0), b_.index(space_size_), [&](Id i) { b_.store(used_, i, b_.boolean(false)); }, Binding::vector);
}

void LoopNest::flush_workspace() {
  const std::size_t outer = out_levels_.size() - static_cast<std::size_t>(step_.workspace);
  std::vector<Id> at;
  std::vector<std::int64_t> extents;
  for (std::size_t l = 0; l < outer; ++l) at.push_back(coordinates_[static_cast<std::size_t>(out_levels_[l])]);
  for (std::size_t l = outer; l < out_levels_.size(); ++l)
    extents.push_back(step_.extents[static_cast<std::size_t>(out_levels_[l])]);
  const std::vector<std::int64_t> strides = row_major(extents);
  auto emit = [&](Id w) {
    std::vector<Id> row = at;
    for (std::size_t m = 0; m < extents.size(); ++m)
      row.push_back(b_.rem(b_.div(w, std::max<std::int64_t>(1, strides[m])), std::max<std::int64_t>(1, extents[m])));
    append_row(b_.load(space_, w), row);
    b_.store(used_, w, b_.boolean(false));
  };
  const Id n = b_.let(b_.load(list_count_, b_.index(0)));
  // Many entries: walk the flags. Few: sort their indices.
  b_.branch(
      b_.binary(Op::less, b_.index(space_size_), b_.mul(n, b_.index(16))),
      [&] {
        b_.loop(b_.index(0), b_.index(space_size_), [&](Id w) { b_.branch(b_.load(used_, w), [&] { emit(w); }); });
      },
      [&] {
        b_.sort(list_, n);
        b_.loop(b_.index(0), n, [&](Id i) { emit(b_.let(b_.load(list_, i))); });
      });
}

}  // namespace einloom
