#include "builder.h"

#include <utility>

#include "frontend/error.h"

namespace einloom {

namespace {

Type value_type(Type stored) { return is_half(stored.dtype) ? Type{DType::f32, stored.lanes} : stored; }

std::int64_t wrap_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrap_mul(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// The value of an index-typed operation on constants; false where it is left to run time.
bool fold(Op op, std::int64_t a, std::int64_t b, std::int64_t* out) {
  switch (op) {
    case Op::add:
      *out = wrap_add(a, b);
      return true;
    case Op::sub:
      *out = wrap_add(a, wrap_mul(b, -1));
      return true;
    case Op::mul:
      *out = wrap_mul(a, b);
      return true;
    case Op::div:
      *out = b > 0 && a >= 0 ? a / b : 0;
      return b > 0 && a >= 0;
    case Op::rem:
      *out = b > 0 && a >= 0 ? a % b : 0;
      return b > 0 && a >= 0;
    case Op::minimum:
      *out = a < b ? a : b;
      return true;
    case Op::maximum:
      *out = a < b ? b : a;
      return true;
    case Op::equal:
      *out = a == b;
      return true;
    case Op::less:
      *out = a < b;
      return true;
    case Op::less_equal:
      *out = a <= b;
      return true;
    default:
      return false;
  }
}

bool compares(Op op) { return op == Op::equal || op == Op::less || op == Op::less_equal; }

std::int64_t round_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

int Builder::slot(Slot::Kind kind, int input, int level) {
  for (std::size_t i = 0; i < kernel_.slots.size(); ++i) {
    const Slot& s = kernel_.slots[i];
    if (s.kind == kind && s.input == input && s.level == level) return static_cast<int>(i);
  }
  kernel_.slots.push_back({kind, input, level});
  return static_cast<int>(kernel_.slots.size()) - 1;
}

int Builder::buffer(Buffer::Role role, Type type, std::string name, int slot, std::int64_t length) {
  Buffer b;
  b.role = role;
  b.type = type;
  b.name = std::move(name);
  b.slot = slot;
  b.length = length;
  kernel_.buffers.push_back(std::move(b));
  return static_cast<int>(kernel_.buffers.size()) - 1;
}

int Builder::scratch(DType type, std::int64_t length, std::string name) {
  int id = buffer(Buffer::Role::scratch, {type, 1}, std::move(name), slot(Slot::Kind::scratch), length);
  kernel_.buffers.back().offset = kernel_.scratch_bytes;
  kernel_.scratch_bytes +=
      round_up(checked_mul(length, static_cast<std::int64_t>(size_of(type)), "a kernel's scratch memory"), 64);
  return id;
}

int Builder::shared(DType type, std::int64_t length, std::string name) {
  int id = buffer(Buffer::Role::shared, {type, 1}, std::move(name), slot(Slot::Kind::shared), length);
  kernel_.buffers.back().offset = kernel_.shared_bytes;
  kernel_.shared_bytes +=
      round_up(checked_mul(length, static_cast<std::int64_t>(size_of(type)), "a kernel's shared memory"), 64);
  return id;
}

int Builder::registers(Type type, std::int64_t length, std::string name) {
  return buffer(Buffer::Role::registers, type, std::move(name), -1, length);
}

Id Builder::add_node(Node node) {
  kernel_.nodes.push_back(std::move(node));
  return static_cast<Id>(kernel_.nodes.size()) - 1;
}

bool Builder::is_constant(Id id, std::int64_t* value) const {
  const Node& n = node(id);
  if (n.op != Op::constant || is_float(n.type.dtype) || n.type.lanes != 1) return false;
  if (value) *value = n.imm;
  return true;
}

Id Builder::index(std::int64_t value) { return integer(DType::i64, value); }

Id Builder::integer(DType type, std::int64_t value) {
  Node n;
  n.op = Op::constant;
  n.type = {type, 1};
  n.imm = value;
  n.re = static_cast<double>(value);
  return add_node(std::move(n));
}

Id Builder::constant(DType type, double re, double im) {
  Node n;
  n.op = Op::constant;
  n.type = {type, 1};
  n.re = re;
  n.im = im;
  if (!is_float(type)) n.imm = static_cast<std::int64_t>(re);
  return add_node(std::move(n));
}

Id Builder::boolean(bool value) { return integer(DType::boolean, value ? 1 : 0); }

Id Builder::begin() { return add_node({.op = Op::begin, .type = index_type}); }
Id Builder::end() { return add_node({.op = Op::end, .type = index_type}); }

Id Builder::argument(int slot, DType type) { return add_node({.op = Op::argument, .type = {type, 1}, .imm = slot}); }
Id Builder::var(int variable, Type type) { return add_node({.op = Op::var, .type = type, .imm = variable}); }

Id Builder::load(int buffer, Id index, int lanes) {
  const Buffer& b = kernel_.buffers[static_cast<std::size_t>(buffer)];
  Type type = value_type(b.type);
  if (b.role != Buffer::Role::registers) type.lanes = lanes;
  return add_node({.op = Op::load, .type = type, .args = {index}, .imm = buffer});
}

Id Builder::binary(Op op, Id a, Id b) {
  Type type = node(a).type;
  if (type != node(b).type) throw Error::internal(std::string("operands of ") + name(op) + " have different types");
  std::int64_t x = 0, y = 0;
  const bool ca = is_constant(a, &x), cb = is_constant(b, &y);
  if (type.dtype == DType::i64 && type.lanes == 1) {
    std::int64_t value = 0;
    if (ca && cb && fold(op, x, y, &value)) return compares(op) ? boolean(value != 0) : index(value);
    if (op == Op::add && ca && x == 0) return b;
    if ((op == Op::add || op == Op::sub) && cb && y == 0) return a;
    if (op == Op::mul && ((ca && x == 1) || (cb && y == 0))) return b;
    if ((op == Op::mul || op == Op::div) && cb && y == 1) return a;
    if (op == Op::mul && ca && x == 0) return a;
    if (op == Op::rem && cb && y == 1) return index(0);
  }
  if (type == bool_type && (op == Op::both || op == Op::either)) {
    if (ca) return (x != 0) == (op == Op::both) ? b : a;
    if (cb) return (y != 0) == (op == Op::both) ? a : b;
  }
  if (compares(op)) type.dtype = DType::boolean;
  return add_node({.op = op, .type = type, .args = {a, b}});
}

Id Builder::add(Id a, Id b) { return binary(Op::add, a, b); }
Id Builder::sub(Id a, Id b) { return binary(Op::sub, a, b); }
Id Builder::mul(Id a, Id b) { return binary(Op::mul, a, b); }
Id Builder::div(Id a, std::int64_t b) { return binary(Op::div, a, index(b)); }
Id Builder::rem(Id a, std::int64_t b) { return binary(Op::rem, a, index(b)); }

Id Builder::fma(Id a, Id b, Id c) {
  Type type = node(a).type;
  if (type != node(b).type || type != node(c).type) throw Error::internal("operands of fma have different types");
  return add_node({.op = Op::fma, .type = type, .args = {a, b, c}});
}

Id Builder::negate_bool(Id a) {
  std::int64_t value = 0;
  if (is_constant(a, &value)) return boolean(value == 0);
  return add_node({.op = Op::negate_bool, .type = node(a).type, .args = {a}});
}

Id Builder::select(Id condition, Id a, Id b) {
  std::int64_t value = 0;
  if (is_constant(condition, &value)) return value ? a : b;
  if (node(a).type != node(b).type) throw Error::internal("branches of select have different types");
  return add_node({.op = Op::select, .type = node(a).type, .args = {condition, a, b}});
}

Id Builder::convert(Id a, DType type) {
  const Node& n = node(a);
  if (n.type.dtype == type) return a;
  if (n.op == Op::constant && n.type.lanes == 1 && !is_float(n.type.dtype) && type == DType::i64) return index(n.imm);
  return add_node({.op = Op::convert, .type = {type, n.type.lanes}, .args = {a}});
}

Id Builder::splat(Id a, int lanes) {
  if (lanes == 1) return a;
  return add_node({.op = Op::splat, .type = {node(a).type.dtype, lanes}, .args = {a}});
}

Id Builder::search(int buffer, Search how, Id lo, Id hi, Id key) {
  return add_node({.op = Op::search, .type = index_type, .args = {lo, hi, key}, .imm = buffer, .how = how});
}

Id Builder::let(Id value) {
  const Node& n = node(value);
  if (n.op == Op::var || n.op == Op::constant || n.op == Op::begin || n.op == Op::end) return value;
  const Type type = n.type;
  const int variable = kernel_.variables++;
  block_.push_back(add_node({.op = Op::let, .type = type, .args = {value}, .imm = variable}));
  return var(variable, type);
}

void Builder::store(int buffer, Id index, Id value) {
  block_.push_back(add_node({.op = Op::store, .args = {index, value}, .imm = buffer}));
}

void Builder::reduce(int buffer, Id index, Id value, Semiring semiring) {
  block_.push_back(add_node({.op = Op::reduce, .args = {index, value}, .imm = buffer, .semiring = semiring}));
}

void Builder::append(Id chunk, Id value, std::vector<Id> key) {
  std::vector<Id> args{chunk, value};
  args.insert(args.end(), key.begin(), key.end());
  block_.push_back(add_node({.op = Op::append, .args = std::move(args)}));
}

void Builder::sort(int buffer, Id count) {
  block_.push_back(add_node({.op = Op::sort, .args = {count}, .imm = buffer}));
}
void Builder::leave() { block_.push_back(add_node({.op = Op::leave})); }

void Builder::comment(std::string text) {
  kernel_.comments.push_back(std::move(text));
  block_.push_back(add_node({.op = Op::comment, .imm = static_cast<std::int64_t>(kernel_.comments.size()) - 1}));
}

Id Builder::block(const std::function<void()>& body) {
  std::vector<Id> outer;
  outer.swap(block_);
  body();
  outer.swap(block_);
  return add_node({.op = Op::block, .args = std::move(outer)});
}

void Builder::loop(Id first, Id last, const std::function<void(Id)>& body, Binding binding, std::int64_t step) {
  const int variable = kernel_.variables++;
  const Id inner = block([&] { body(var(variable)); });
  const Id by = index(step);
  block_.push_back(add_node({.op = Op::loop, .args = {first, last, by, inner}, .imm = variable, .binding = binding}));
}

void Builder::loop_while(Id condition, const std::function<void()>& body) {
  const Id inner = block(body);
  block_.push_back(add_node({.op = Op::loop_while, .args = {condition, inner}}));
}

void Builder::branch(Id condition, const std::function<void()>& then, const std::function<void()>& otherwise) {
  std::int64_t value = 0;
  if (is_constant(condition, &value)) {
    if (value)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  std::vector<Id> args{condition, block(then)};
  if (otherwise) args.push_back(block(otherwise));
  block_.push_back(add_node({.op = Op::branch, .args = std::move(args)}));
}

void Builder::entry(std::string name, const std::function<void()>& body) {
  const Id id = block(body);
  kernel_.entries.push_back({std::move(name), id});
}

}  // namespace einloom
