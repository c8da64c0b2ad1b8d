#include <fmt/format.h>

#include <set>

#include "frontend/error.h"
#include "kernel.h"

namespace einloom {

namespace {

// One rule a node kind. Fails with the node's number, its kind and the rule.
class Verifier {
 public:
  explicit Verifier(const Kernel& k) : k_(k) {}

  void run() {
    for (const Entry& e : k_.entries) {
      scope_.clear();
      statement(e.body, 0);
    }
    for (const Phase& p : k_.phases)
      if (p.entry < 0 || p.entry >= static_cast<int>(k_.entries.size()) || p.chunks < 0)
        throw Error::internal("a phase names no entry of its kernel");
  }

 private:
  [[noreturn]] void fail(Id id, const std::string& rule) const {
    throw Error::internal(fmt::format("kernel node {} ({}): {}", id, id >= 0 ? name(node(id).op) : "none", rule));
  }
  void check(bool ok, Id id, const char* rule) const {
    if (!ok) fail(id, rule);
  }
  const Node& node(Id id) const { return k_.nodes[static_cast<std::size_t>(id)]; }

  Type value(Id id) {
    if (id < 0 || id >= static_cast<Id>(k_.nodes.size())) fail(-1, "an argument is no node");
    const Node& n = node(id);
    std::vector<Type> types;
    for (Id a : n.args) {
      check(a >= 0 && a < id, id, "arguments come before the node that uses them");
      types.push_back(value(a));
    }
    auto count = [&](std::size_t c) { check(types.size() == c, id, "has the wrong number of arguments"); };
    auto index = [&](std::size_t i) { check(types[i] == index_type, id, "expects an index (i64)"); };
    switch (n.op) {
      case Op::constant:
      case Op::begin:
      case Op::end:
        count(0);
        break;
      case Op::argument:
        count(0);
        check(n.imm >= 0 && n.imm < static_cast<std::int64_t>(k_.slots.size()), id, "names a slot that exists");
        break;
      case Op::var:
        count(0);
        check(scope_.count(n.imm) != 0, id, "is used outside the scope of its let or loop");
        break;
      case Op::load: {
        count(1);
        index(0);
        const Buffer& b = buffer(id, n.imm);
        const DType as = is_half(b.type.dtype) ? DType::f32 : b.type.dtype;
        check(n.type.dtype == as, id, "has the type of its buffer (f32 for halves)");
        check(n.type.lanes == 1 || !is_complex(as), id, "complex values are scalars");
        break;
      }
      case Op::fma:
        count(3);
        check(types[0] == n.type && types[1] == n.type && types[2] == n.type, id,
              "expects three values of its own type");
        break;
      case Op::negate_bool:
        count(1);
        check(types[0].dtype == DType::boolean, id, "expects a bool");
        break;
      case Op::select:
        count(3);
        check(types[0].dtype == DType::boolean && (types[0].lanes == 1 || types[0].lanes == n.type.lanes), id,
              "expects a bool condition");
        check(types[1] == n.type && types[2] == n.type, id, "expects two values of its own type");
        break;
      case Op::convert:
        count(1);
        check(!is_complex(types[0].dtype) || is_complex(n.type.dtype) || n.type.dtype == DType::boolean, id,
              "complex does not become real");
        check(!is_half(n.type.dtype), id, "halves exist in memory only");
        break;
      case Op::splat:
        count(1);
        check(types[0].lanes == 1 && types[0].dtype == n.type.dtype, id, "expects a scalar of its own type");
        break;
      case Op::search:
        count(3);
        index(0);
        index(1);
        index(2);
        check(is_integer(buffer(id, n.imm).type.dtype), id, "searches an index array");
        break;
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::div:
      case Op::rem:
      case Op::minimum:
      case Op::maximum:
      case Op::both:
      case Op::either:
      case Op::shift_left:
      case Op::shift_right:
      case Op::equal:
      case Op::less:
      case Op::less_equal:
        count(2);
        check(types[0] == types[1], id, "expects two values of one type");
        check(!(n.op == Op::div || n.op == Op::rem || n.op == Op::shift_left || n.op == Op::shift_right) ||
                  types[0] == index_type,
              id, "is for indices only");
        break;
      default:
        fail(id, "is a statement where a value is expected");
    }
    return n.type;
  }

  const Buffer& buffer(Id id, std::int64_t i) const {
    check(i >= 0 && i < static_cast<std::int64_t>(k_.buffers.size()), id, "names a buffer that exists");
    return k_.buffers[static_cast<std::size_t>(i)];
  }

  void written(Id id, const Node& n) {
    const Buffer& b = buffer(id, n.imm);
    check(b.role != Buffer::Role::input && b.role != Buffer::Role::index, id, "writes to an input");
    check(n.args.size() == 2, id, "has the wrong number of arguments");
    check(value(n.args[0]) == index_type, id, "expects an index (i64)");
    const DType as = is_half(b.type.dtype) ? DType::f32 : b.type.dtype;
    check(value(n.args[1]).dtype == as, id, "stores a value of its buffer's type (f32 for halves)");
  }

  void statement(Id id, int loops) {
    check(id >= 0 && id < static_cast<Id>(k_.nodes.size()), id, "is no node");
    const Node& n = node(id);
    switch (n.op) {
      case Op::block: {
        std::vector<std::int64_t> opened;
        for (Id s : n.args) {
          statement(s, loops);
          if (node(s).op == Op::let) opened.push_back(node(s).imm);
        }
        for (std::int64_t v : opened) scope_.erase(v);
        break;
      }
      case Op::loop: {
        check(n.args.size() == 4, id, "has the wrong number of arguments");
        for (int i = 0; i < 3; ++i)
          check(value(n.args[static_cast<std::size_t>(i)]) == index_type, id, "expects index bounds");
        check(node(n.args[2]).op == Op::constant && node(n.args[2]).imm > 0, id, "expects a constant step above zero");
        check(scope_.insert(n.imm).second, id, "reuses a variable that is in scope");
        statement(n.args[3], loops + 1);
        scope_.erase(n.imm);
        break;
      }
      case Op::loop_while:
        check(n.args.size() == 2 && value(n.args[0]) == bool_type, id, "expects a bool condition and a body");
        statement(n.args[1], loops + 1);
        break;
      case Op::branch:
        check((n.args.size() == 2 || n.args.size() == 3) && value(n.args[0]) == bool_type, id,
              "expects a bool condition and one or two bodies");
        for (std::size_t i = 1; i < n.args.size(); ++i) statement(n.args[i], loops);
        break;
      case Op::let:
        check(n.args.size() == 1, id, "has the wrong number of arguments");
        value(n.args[0]);
        check(scope_.insert(n.imm).second, id, "reuses a variable that is in scope");
        break;
      case Op::store:
      case Op::reduce:
        written(id, n);
        break;
      case Op::append:
        check(static_cast<int>(n.args.size()) == 2 + k_.key_words && k_.key_words >= 1 && k_.key_words <= 8, id,
              "expects chunk, value and the key's words");
        for (Id a : n.args) value(a);
        break;
      case Op::sort:
        check(n.args.size() == 1 && value(n.args[0]) == index_type, id, "expects a count");
        check(buffer(id, n.imm).type == index_type, id, "sorts an array of i64");
        break;
      case Op::leave:
        check(loops > 0, id, "stands in no loop");
        break;
      case Op::comment:
        check(n.imm >= 0 && n.imm < static_cast<std::int64_t>(k_.comments.size()), id, "names a comment that exists");
        break;
      default:
        fail(id, "is a value where a statement is expected");
    }
  }

  const Kernel& k_;
  std::set<std::int64_t> scope_;
};

}  // namespace

void verify(const Kernel& kernel) { Verifier(kernel).run(); }

}  // namespace einloom
