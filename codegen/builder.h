// Builder: the way lowering writes a Kernel. Folds constants as it goes, so lowered text is short.
//
//   Builder b(kernel);
//   b.loop(b.index(0), b.index(n), [&](Id i) { b.store(out, i, b.load(a, i)); });
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "kernel.h"

namespace einloom {

class Builder {
 public:
  explicit Builder(Kernel& kernel) : kernel_(kernel) {}

  // Tables. slot() returns an existing equal slot if there is one.
  int slot(Slot::Kind kind, int input = 0, int level = 0);
  int buffer(Buffer::Role role, Type type, std::string name, int slot = -1,
             std::int64_t length = 0);                             // returns its number
  int scratch(DType type, std::int64_t length, std::string name);  // lays it out in the thread's scratch block
  int shared(DType type, std::int64_t length, std::string name);
  int registers(Type type, std::int64_t length, std::string name);

  // Values.
  Id index(std::int64_t value);
  Id constant(DType type, double re, double im = 0);
  Id integer(DType type, std::int64_t value);
  Id boolean(bool value);
  Id begin();
  Id end();
  Id argument(int slot, DType type = DType::i64);
  Id var(int variable, Type type = index_type);
  Id load(int buffer, Id index, int lanes = 1);  // type: the buffer's; f16 and bf16 give f32
  Id add(Id a, Id b);
  Id sub(Id a, Id b);
  Id mul(Id a, Id b);
  Id fma(Id a, Id b, Id c);
  Id div(Id a, std::int64_t b);
  Id rem(Id a, std::int64_t b);
  Id binary(Op op, Id a, Id b);  // any two-argument op; comparisons give bool
  Id negate_bool(Id a);
  Id select(Id condition, Id a, Id b);
  Id convert(Id a, DType type);  // itself when it already has the type
  Id splat(Id a, int lanes);
  Id search(int buffer, Search how, Id lo, Id hi, Id key);
  // Semiring arithmetic on the compute type (scalars or vectors).
  Id combine(Semiring semiring, Id a, Id b);
  Id convert_operand(Semiring semiring, Id value, DType type);  // to the compute type; an identity stays the identity
  Id reduction(Semiring semiring, Id a, Id b);
  Id identity(Semiring semiring, DType type);  // additive
  Id unit(Semiring semiring, DType type);      // multiplicative

  // Statements: appended to the current block.
  Id let(Id value);  // evaluates now; returns the variable's value node
  void store(int buffer, Id index, Id value);
  void reduce(int buffer, Id index, Id value, Semiring semiring);
  void append(Id chunk, Id value, std::vector<Id> key);
  void sort(int buffer, Id count);
  void leave();
  void comment(std::string text);
  void loop(Id first, Id last, const std::function<void(Id)>& body, Binding binding = Binding::serial,
            std::int64_t step = 1);
  void loop_while(Id condition, const std::function<void()>& body);
  void branch(Id condition, const std::function<void()>& then, const std::function<void()>& otherwise = nullptr);
  void entry(std::string name, const std::function<void()>& body);

  const Node& node(Id id) const { return kernel_.nodes[static_cast<std::size_t>(id)]; }
  bool is_constant(Id id, std::int64_t* value = nullptr) const;  // integer constants
  Kernel& kernel() { return kernel_; }

 private:
  Id add_node(Node node);
  Id block(const std::function<void()>& body);

  Kernel& kernel_;
  std::vector<Id> block_;  // statements of the block being written
};

}  // namespace einloom
