#include <limits>

#include "builder.h"

namespace einloom {

// Semiring arithmetic in terms of the IR's plain operations; see frontend/semiring.h for the meaning.

namespace {

// min-plus and max-plus: the identity absorbs; integers would wrap, and inf + -inf would be NaN.
Id absorbing_add(Builder& b, Semiring semiring, Id x, Id y) {
  const Type type = b.node(x).type;
  const Id none = b.splat(b.identity(semiring, type.dtype), type.lanes);
  return b.select(b.binary(Op::either, b.binary(Op::equal, x, none), b.binary(Op::equal, y, none)), none, b.add(x, y));
}

}  // namespace

Id Builder::combine(Semiring semiring, Id a, Id b) {
  switch (semiring) {
    case Semiring::min_plus:
    case Semiring::max_plus:
      return absorbing_add(*this, semiring, a, b);
    case Semiring::or_and:
      return binary(Op::both, a, b);
    default:
      return mul(a, b);
  }
}

Id Builder::convert_operand(Semiring semiring, Id value, DType type) {
  const Type from = node(value).type;
  const Id converted = convert(value, type);
  const bool sums = semiring == Semiring::min_plus || semiring == Semiring::max_plus;
  if (!sums || !is_integer(from.dtype) || from.dtype == type) return converted;
  const Id none = splat(identity(semiring, from.dtype), from.lanes);
  return select(binary(Op::equal, value, none), splat(identity(semiring, type), from.lanes), converted);
}

Id Builder::reduction(Semiring semiring, Id a, Id b) {
  switch (semiring) {
    case Semiring::plus_times:
      return add(a, b);
    case Semiring::min_plus:
      return binary(Op::minimum, a, b);
    case Semiring::or_and:
      return binary(Op::either, a, b);
    default:
      return binary(Op::maximum, a, b);
  }
}

Id Builder::identity(Semiring semiring, DType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  const bool wide = type == DType::i64;
  switch (semiring) {
    case Semiring::min_plus:
      if (!is_integer(type)) return constant(type, infinity);
      return integer(type, wide ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int32_t>::max());
    case Semiring::max_plus:
      if (!is_integer(type)) return constant(type, -infinity);
      return integer(type, wide ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int32_t>::min());
    default:
      return constant(type, 0);
  }
}

Id Builder::unit(Semiring semiring, DType type) {
  const bool sums = semiring == Semiring::min_plus || semiring == Semiring::max_plus;
  return constant(type, sums ? 0 : 1);
}

}  // namespace einloom
