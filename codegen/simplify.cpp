#include <map>
#include <utility>

#include "builder.h"

namespace einloom {

namespace {

// Rebuilds a kernel node by node through a Builder (which folds constants), unrolling loops bound `unroll` with
// constant bounds, dropping branches on constants and lets nobody reads.
class Rebuild {
 public:
  Rebuild(const Kernel& from, Kernel& to)
      : from_(from), builder_(to), uses_(static_cast<std::size_t>(from.variables), 0) {
    for (const Node& n : from.nodes)
      for (Id a : n.args)
        if (node(a).op == Op::var) ++uses_[static_cast<std::size_t>(node(a).imm)];
  }

  void run() {
    for (const Entry& e : from_.entries) builder_.entry(e.name, [&] { statement(e.body); });
  }

 private:
  const Node& node(Id id) const { return from_.nodes[static_cast<std::size_t>(id)]; }

  Id value(Id id) {
    const Node& n = node(id);
    switch (n.op) {
      case Op::constant: {
        Id c = is_float(n.type.dtype) ? builder_.constant(n.type.dtype, n.re, n.im)
                                      : builder_.integer(n.type.dtype, n.imm);
        return builder_.splat(c, n.type.lanes);
      }
      case Op::begin:
        return builder_.begin();
      case Op::end:
        return builder_.end();
      case Op::argument:
        return builder_.argument(static_cast<int>(n.imm), n.type.dtype);
      case Op::var:
        return variables_.at(n.imm);
      case Op::load:
        return builder_.load(static_cast<int>(n.imm), value(n.args[0]), n.type.lanes);
      case Op::fma: {
        const Id a = value(n.args[0]), b = value(n.args[1]), c = value(n.args[2]);
        return builder_.fma(a, b, c);
      }
      case Op::negate_bool:
        return builder_.negate_bool(value(n.args[0]));
      case Op::select: {
        const Id c = value(n.args[0]), a = value(n.args[1]), b = value(n.args[2]);
        return builder_.select(c, a, b);
      }
      case Op::convert:
        return builder_.convert(value(n.args[0]), n.type.dtype);
      case Op::splat:
        return builder_.splat(value(n.args[0]), n.type.lanes);
      case Op::search: {
        const Id lo = value(n.args[0]), hi = value(n.args[1]), key = value(n.args[2]);
        return builder_.search(static_cast<int>(n.imm), n.how, lo, hi, key);
      }
      default: {
        const Id a = value(n.args[0]), b = value(n.args[1]);
        return builder_.binary(n.op, a, b);
      }
    }
  }

  // Whether a statement ends the loop around it: such a loop cannot be dissolved.
  bool leaves(Id id) const {
    const Node& n = node(id);
    if (n.op == Op::leave) return true;
    if (n.op != Op::block && n.op != Op::branch) return false;
    for (Id a : n.args)
      if (leaves(a)) return true;
    return false;
  }

  void loop(const Node& n) {
    const Id first = value(n.args[0]), last = value(n.args[1]);
    std::int64_t lo = 0, hi = 0, step = node(n.args[2]).imm;
    const bool constant = builder_.is_constant(first, &lo) && builder_.is_constant(last, &hi);
    if (constant && hi <= lo) return;
    const bool once = constant && hi - lo <= step && !leaves(n.args[3]);
    if (constant && (n.binding == Binding::unroll || once)) {
      for (std::int64_t i = lo; i < hi; i += step) {
        variables_[n.imm] = builder_.index(i);
        statement(n.args[3]);
      }
      return;
    }
    builder_.loop(
        first, last,
        [&](Id i) {
          variables_[n.imm] = i;
          statement(n.args[3]);
        },
        n.binding, step);
  }

  void statement(Id id) {
    const Node& n = node(id);
    switch (n.op) {
      case Op::block:
        for (Id s : n.args) statement(s);
        return;
      case Op::loop:
        return loop(n);
      case Op::loop_while: {
        const Id condition = value(n.args[0]);
        builder_.loop_while(condition, [&] { statement(n.args[1]); });
        return;
      }
      case Op::branch: {
        const Id condition = value(n.args[0]);
        builder_.branch(
            condition, [&] { statement(n.args[1]); },
            n.args.size() > 2 ? std::function<void()>([&] { statement(n.args[2]); }) : nullptr);
        return;
      }
      case Op::let:
        if (uses_[static_cast<std::size_t>(n.imm)]) variables_[n.imm] = builder_.let(value(n.args[0]));
        return;
      case Op::store: {
        const Id at = value(n.args[0]), what = value(n.args[1]);
        builder_.store(static_cast<int>(n.imm), at, what);
        return;
      }
      case Op::reduce: {
        const Id at = value(n.args[0]), what = value(n.args[1]);
        builder_.reduce(static_cast<int>(n.imm), at, what, n.semiring);
        return;
      }
      case Op::append: {
        std::vector<Id> args;
        for (Id a : n.args) args.push_back(value(a));
        builder_.append(args[0], args[1], {args.begin() + 2, args.end()});
        return;
      }
      case Op::sort:
        return builder_.sort(static_cast<int>(n.imm), value(n.args[0]));
      case Op::leave:
        return builder_.leave();
      case Op::comment:
        return builder_.comment(from_.comments[static_cast<std::size_t>(n.imm)]);
      default:
        return;
    }
  }

  const Kernel& from_;
  Builder builder_;
  std::vector<int> uses_;
  std::map<std::int64_t, Id> variables_;
};

}  // namespace

Kernel simplify(const Kernel& kernel) {
  Kernel out;
  out.buffers = kernel.buffers;
  out.slots = kernel.slots;
  out.phases = kernel.phases;
  out.outer_count = kernel.outer_count;
  out.scratch_bytes = kernel.scratch_bytes;
  out.shared_bytes = kernel.shared_bytes;
  out.key_words = kernel.key_words;
  Rebuild(kernel, out).run();
  return out;
}

}  // namespace einloom
