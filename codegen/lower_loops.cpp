// One loop nest for any number of dense and sparse inputs and a dense or sparse result.
//
// The nest is written outermost loop first. Each sparse input carries a cursor: the next level to resolve and the
// position (or, inside a COO group, the range of positions) reached so far. A level whose label is already bound is
// located; at the loop over its label it leads, follows, or is located if dense. Values are loaded as soon as every
// label of an input is bound, and the running product is kept in a variable, so that inner loops only do what is
// theirs. See docs/strategies.md.
#include "lower_loops.h"

#include <fmt/format.h>

#include "frontend/error.h"

namespace einloom {

LoopNest::LoopNest(const Step& step, Kernel& kernel) : step_(step), b_(kernel) {
  coordinates_.assign(step.extents.size(), -1);
  for (std::size_t k = 0; k < step.inputs.size(); ++k) add_input(static_cast<int>(k));
  if (!step.output.desc.sparse) {
    out_ = b_.buffer(Buffer::Role::output, {step.output.desc.dtype, 1}, "out", b_.slot(Slot::Kind::output));
  } else {
    b_.slot(Slot::Kind::sinks);
    std::vector<std::int64_t> extents;
    for (int mode : step.output.desc.format.order) {
      extents.push_back(step.output.desc.extents[static_cast<std::size_t>(mode)]);
      out_levels_.push_back(step.output.labels[static_cast<std::size_t>(mode)]);
    }
    keys_ = key_layout(extents);
    kernel.key_words = keys_.words;
  }
  std::vector<bool> is_output(step.extents.size(), false);
  for (int l : step.output.labels) is_output[static_cast<std::size_t>(l)] = true;
  for (std::size_t d = 0; d < step.loops.size(); ++d)
    if (is_output[static_cast<std::size_t>(step.loops[d].label)]) output_depth_ = d + 1;
  if (step.accumulate == Accumulate::workspace) {
    std::vector<bool> outer(step.extents.size(), false);
    for (std::size_t l = 0; l + static_cast<std::size_t>(step.workspace) < out_levels_.size(); ++l)
      outer[static_cast<std::size_t>(out_levels_[l])] = true;
    for (std::size_t d = 0; d < step.loops.size(); ++d)
      if (outer[static_cast<std::size_t>(step.loops[d].label)]) flush_depth_ = d + 1;
  }
}

void LoopNest::add_input(int k) {
  const Access& a = step_.inputs[static_cast<std::size_t>(k)];
  Input in;
  in.values = b_.buffer(Buffer::Role::input, {a.desc.dtype, 1}, fmt::format("in{}", k), b_.slot(Slot::Kind::values, k));
  if (a.desc.sparse) {
    const Format& f = a.desc.format;
    const DType index = a.desc.wide ? DType::i64 : DType::i32;
    for (std::size_t l = 0; l < f.levels.size(); ++l) {
      InputLevel level;
      level.kind = f.levels[l];
      level.label = a.labels[static_cast<std::size_t>(f.order[l])];
      level.extent = a.desc.extents[static_cast<std::size_t>(f.order[l])];
      const int at = static_cast<int>(l);
      if (level.kind == Level::compressed || level.kind == Level::nonunique)
        level.pos =
            b_.buffer(Buffer::Role::index, {index, 1}, fmt::format("pos{}_{}", k, l), b_.slot(Slot::Kind::pos, k, at));
      if (level.kind != Level::dense)
        level.crd =
            b_.buffer(Buffer::Role::index, {index, 1}, fmt::format("crd{}_{}", k, l), b_.slot(Slot::Kind::crd, k, at));
      // Inside a group: a nonunique head or a singleton below one, with another singleton to come.
      const bool in_group =
          level.kind == Level::nonunique || (level.kind == Level::singleton && l > 0 && in.levels.back().spans);
      level.spans = in_group && l + 1 < f.levels.size() && f.levels[l + 1] == Level::singleton;
      in.levels.push_back(level);
    }
  }
  inputs_.push_back(std::move(in));
}

// ---- values ----

Id LoopNest::dense_offset(const Access& a, const std::vector<Id>& coordinates) {
  Id at = b_.index(0);
  for (std::size_t m = 0; m < a.labels.size(); ++m)
    at = b_.add(at, b_.mul(coordinates[static_cast<std::size_t>(a.labels[m])], b_.index(a.desc.strides[m])));
  return at;
}

bool LoopNest::complete(int k, const Cursors& cursors) const {
  const Access& a = step_.inputs[static_cast<std::size_t>(k)];
  const Input& in = inputs_[static_cast<std::size_t>(k)];
  if (a.desc.sparse) return cursors[static_cast<std::size_t>(k)].next == in.levels.size();
  for (int l : a.labels)
    if (coordinates_[static_cast<std::size_t>(l)] < 0) return false;
  return true;
}

// Multiplies in every input that has just become complete.
Id LoopNest::take_values(Id product, std::vector<bool>& taken, const Cursors& cursors) {
  bool changed = false;
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    if (taken[k] || !complete(static_cast<int>(k), cursors)) continue;
    taken[k] = changed = true;
    const Access& a = step_.inputs[k];
    const Id at = a.desc.sparse ? cursors[k].position : dense_offset(a, coordinates_);
    const Id v = b_.convert_operand(step_.semiring, b_.load(inputs_[k].values, at), step_.compute);
    product = product < 0 ? v : b_.combine(step_.semiring, product, v);
  }
  return changed ? b_.let(product) : product;
}

// ---- levels ----

std::pair<Id, Id> LoopNest::children(const InputLevel& level, const Cursor& c) {
  if (level.kind == Level::singleton) {
    if (c.is_range) return {c.lo, c.hi};
    return {c.position, b_.let(b_.add(c.position, b_.index(1)))};
  }
  const Id lo = b_.let(b_.convert(b_.load(level.pos, c.position), DType::i64));
  const Id hi = b_.let(b_.convert(b_.load(level.pos, b_.add(c.position, b_.index(1))), DType::i64));
  return {lo, hi};
}

Id LoopNest::coordinate_at(const InputLevel& level, Id position) {
  return b_.convert(b_.load(level.crd, position), DType::i64);
}

// The cursor below position `p` of a level, whose siblings end at `hi` and whose coordinate is `c`.
LoopNest::Cursor LoopNest::descend(const InputLevel& level, const Cursor& from, Id p, Id hi, Id c, Id segment_end) {
  Cursor next = from;
  ++next.next;
  next.position = p;
  next.is_range = level.spans;
  if (level.spans) {
    next.lo = p;
    next.hi =
        segment_end >= 0 ? segment_end : b_.let(b_.search(level.crd, Search::gallop, p, hi, b_.add(c, b_.index(1))));
  }
  return next;
}

// Resolves, input by input, every level whose label is already bound, then goes on with `then`.
void LoopNest::resolve(std::size_t k, Cursors cursors, const std::function<void(Cursors)>& then) {
  for (; k < inputs_.size(); ++k) {
    Cursor& c = cursors[k];
    while (c.next < inputs_[k].levels.size()) {
      const InputLevel& level = inputs_[k].levels[c.next];
      const Id at = coordinates_[static_cast<std::size_t>(level.label)];
      if (at < 0) break;
      if (level.kind == Level::dense) {
        c.position = b_.let(b_.add(b_.mul(c.position, b_.index(level.extent)), at));
        c.is_range = false;
        ++c.next;
        continue;
      }
      const auto [lo, hi] = children(level, c);
      const Id q = b_.let(b_.search(level.crd, Search::binary, lo, hi, at));
      b_.branch(b_.binary(Op::less, q, hi), [&] {
        b_.branch(b_.binary(Op::equal, coordinate_at(level, q), at), [&] {
          Cursors found = cursors;
          found[k] = descend(level, c, q, hi, at, -1);
          resolve(k, std::move(found), then);
        });
      });
      return;
    }
  }
  then(std::move(cursors));
}

// ---- loops ----

void LoopNest::nest(std::size_t depth, Cursors cursors, Id product, std::vector<bool> taken) {
  resolve(0, std::move(cursors), [&](Cursors now) {
    std::vector<bool> have = taken;
    const Id value = take_values(product, have, now);
    at_depth(depth, now, value, have);
  });
}

void LoopNest::at_depth(std::size_t depth, const Cursors& cursors, Id product, const std::vector<bool>& taken) {
  if (step_.accumulate == Accumulate::workspace && depth == flush_depth_ && !in_workspace_) {
    in_workspace_ = true;
    b_.store(list_count_, b_.index(0), b_.index(0));
    inner(depth, cursors, product, taken);
    flush_workspace();
    in_workspace_ = false;
    return;
  }
  inner(depth, cursors, product, taken);
}

void LoopNest::inner(std::size_t depth, const Cursors& cursors, Id product, const std::vector<bool>& taken) {
  if (depth == step_.loops.size()) {
    if (summing_) {
      b_.store(sum_, b_.index(0), b_.reduction(step_.semiring, b_.load(sum_, b_.index(0)), product));
      if (any_ >= 0) b_.store(any_, b_.index(0), b_.index(1));
    } else {
      finish(product);
    }
    return;
  }
  if (depth == output_depth_ && !summing_) {
    summing_ = true;
    sum_ = b_.registers({step_.compute, 1}, 1, "sum");
    any_ =
        step_.output.desc.sparse || step_.accumulate == Accumulate::workspace ? b_.registers(index_type, 1, "any") : -1;
    b_.store(sum_, b_.index(0), b_.identity(step_.semiring, step_.compute));
    if (any_ >= 0) b_.store(any_, b_.index(0), b_.index(0));
    loop(depth, cursors, product, taken);
    const Id total = b_.let(b_.load(sum_, b_.index(0)));
    if (any_ >= 0)
      b_.branch(b_.binary(Op::equal, b_.load(any_, b_.index(0)), b_.index(1)), [&] { finish(total); });
    else
      finish(total);
    summing_ = false;
    return;
  }
  loop(depth, cursors, product, taken);
}

void LoopNest::loop(std::size_t depth, const Cursors& cursors, Id product, const std::vector<bool>& taken) {
  const Loop& l = step_.loops[depth];
  const std::size_t label = static_cast<std::size_t>(l.label);
  const bool outermost = depth == 0 && step_.chunks > 1;

  if (l.leader < 0) {
    const Id first = outermost ? chunk_first_ : b_.index(0),
             last = outermost ? chunk_last_ : b_.index(step_.extents[label]);
    const bool vector = depth + 1 == step_.loops.size() && !summing_ && !step_.output.desc.sparse;
    b_.loop(
        first, last,
        [&](Id i) {
          coordinates_[label] = i;
          nest(depth + 1, cursors, product, taken);
          coordinates_[label] = -1;
        },
        vector ? Binding::vector : Binding::serial);
    return;
  }

  const std::size_t k = static_cast<std::size_t>(l.leader);
  const Cursor& c = cursors[k];
  if (c.next >= inputs_[k].levels.size() || inputs_[k].levels[c.next].label != l.label ||
      inputs_[k].levels[c.next].kind == Level::dense)
    throw Error::internal(fmt::format("the plan makes input {} lead a loop it has no level for", k));
  const InputLevel& level = inputs_[k].levels[c.next];
  auto [first, last] = children(level, c);
  const Id all_last = last;
  if (outermost) {
    first = chunk_first_;
    last = chunk_last_;
  }

  // Followers search from where they stopped; their cursors start before the loop.
  std::vector<Following> following;
  for (const Loop::Follower& f : l.followers) {
    const std::size_t j = static_cast<std::size_t>(f.input);
    const Cursor& d = cursors[j];
    if (d.next >= inputs_[j].levels.size() || inputs_[j].levels[d.next].label != l.label ||
        inputs_[j].levels[d.next].kind == Level::dense)
      throw Error::internal(fmt::format("the plan makes input {} follow in a loop it has no level for", j));
    const auto [lo, hi] = children(inputs_[j].levels[d.next], d);
    Following s{j, f.search, lo, hi, -1};
    if (f.search != Search::binary) {
      s.cursor = b_.registers(index_type, 1, fmt::format("next{}", j));
      b_.store(s.cursor, b_.index(0), lo);
    }
    following.push_back(s);
  }

  auto body = [&](Id p, Id coordinate, Id segment_end) {
    coordinates_[label] = coordinate;
    Cursors now = cursors;
    now[k] = descend(level, c, p, all_last, coordinate, segment_end);
    match(following, 0, depth, std::move(now), product, taken);
    coordinates_[label] = -1;
  };

  if (!level.spans) {
    b_.loop(first, last, [&](Id p) { body(p, b_.let(coordinate_at(level, p)), -1); });
    return;
  }
  // Inside a COO group: one iteration a run of equal coordinates. A chunk starts at the first run that begins in it.
  const int at = b_.registers(index_type, 1, fmt::format("at{}", k));
  b_.store(at, b_.index(0), first);
  if (outermost) {
    b_.branch(b_.binary(Op::less, b_.index(0), first), [&] {
      const Id before = coordinate_at(level, b_.sub(first, b_.index(1)));
      b_.store(at, b_.index(0), b_.search(level.crd, Search::linear, first, all_last, b_.add(before, b_.index(1))));
    });
  }
  b_.loop_while(b_.binary(Op::less, b_.load(at, b_.index(0)), last), [&] {
    const Id p = b_.let(b_.load(at, b_.index(0)));
    const Id coordinate = b_.let(coordinate_at(level, p));
    const Id next =
        b_.let(b_.search(level.crd, Search::linear, b_.add(p, b_.index(1)), all_last, b_.add(coordinate, b_.index(1))));
    b_.store(at, b_.index(0), next);
    body(p, coordinate, next);
  });
}

// Brings follower number `i` and those after it to the bound coordinate; goes on inside when all have it.
void LoopNest::match(const std::vector<Following>& following, std::size_t i, std::size_t depth, Cursors cursors,
                     Id product, const std::vector<bool>& taken) {
  if (i == following.size()) return nest(depth + 1, std::move(cursors), product, taken);
  const Following& f = following[i];
  const InputLevel& level = inputs_[f.input].levels[cursors[f.input].next];
  const Id key = coordinates_[static_cast<std::size_t>(level.label)];
  const Id from = f.cursor < 0 ? f.lo : b_.load(f.cursor, b_.index(0));
  const Id q = b_.let(b_.search(level.crd, f.how, from, f.hi, key));
  if (f.cursor >= 0) b_.store(f.cursor, b_.index(0), q);
  b_.branch(
      b_.binary(Op::less, q, f.hi),
      [&] {
        b_.branch(b_.binary(Op::equal, coordinate_at(level, q), key), [&] {
          Cursors now = cursors;
          now[f.input] = descend(level, cursors[f.input], q, f.hi, key, -1);
          match(following, i + 1, depth, std::move(now), product, taken);
        });
      },
      [&] { b_.leave(); });  // this follower has nothing left at or beyond the coordinate
}

// ---- entries ----

void LoopNest::run() {
  const bool partial = step_.accumulate == Accumulate::partial;
  if (step_.accumulate == Accumulate::in_place) write_initialise();
  if (partial) prepare_partial();
  if (step_.accumulate == Accumulate::workspace) prepare_workspace();
  Kernel& kernel = b_.kernel();
  Phase phase;
  phase.entry = static_cast<int>(kernel.entries.size());
  phase.chunks = step_.chunks;
  int bounds = -1;
  if (step_.chunks > 1) {
    const Loop& outer = step_.loops.front();
    phase.partition = outer.leader < 0 ? Phase::Partition::extent : Phase::Partition::nodes;
    phase.extent = step_.extents[static_cast<std::size_t>(outer.label)];
    phase.input = outer.leader;
    bounds = b_.buffer(Buffer::Role::index, index_type, "bounds", b_.slot(Slot::Kind::bounds));
  }
  b_.entry("main", [&] {
    b_.loop(b_.begin(), b_.end(), [&](Id chunk) {
      chunk_ = chunk;
      if (bounds >= 0) {
        chunk_first_ = b_.let(b_.load(bounds, chunk));
        chunk_last_ = b_.let(b_.load(bounds, b_.add(chunk, b_.index(1))));
      }
      if (partial) clear_partial();
      if (step_.accumulate == Accumulate::workspace) clear_workspace();
      Cursors cursors(inputs_.size());
      for (Cursor& c : cursors) c.position = b_.index(0);
      nest(0, std::move(cursors), -1, std::vector<bool>(inputs_.size(), false));
    });
  });
  kernel.phases.push_back(phase);
  if (partial) write_merge();
}

Kernel lower_loops(const Step& step, const Target&) {
  Kernel kernel;
  LoopNest(step, kernel).run();
  return kernel;
}

}  // namespace einloom
