#include <fmt/format.h>

#include "bind_parts.h"
#include "error.h"

namespace einloom {

namespace {

// Values may be converted upwards only: bool, integer, real, complex.
int kind_of(DType type) {
  if (type == DType::boolean) return 0;
  if (is_integer(type)) return 1;
  return is_complex(type) ? 3 : 2;
}

const char* kind_name(DType type) {
  static constexpr const char* names[] = {"bool", "integer", "real", "complex"};
  return names[kind_of(type)];
}

bool ordered(Semiring semiring) {
  return semiring == Semiring::min_plus || semiring == Semiring::max_plus || semiring == Semiring::max_times;
}

// An order is needed, so no complex numbers; bool has no sums and products of its own there.
void check_ordered(const Expr& expr, const Contraction& c) {
  const auto refuse = [&](DType type, const std::string& where, std::size_t at) {
    throw Error::input(
        fmt::format("{} takes i32, i64, f16, bf16, f32 or f64, but {} is {}", name(c.semiring), where, name(type)),
        expr.text, expr.text.empty() ? Error::no_position : at);
  };
  for (std::size_t t = 0; t < c.operands.size(); ++t) {
    if (is_complex(c.operands[t].dtype)) refuse(c.operands[t].dtype, operand_text(expr, t), expr.inputs[t].begin);
  }
  if (is_complex(c.result) || c.result == DType::boolean) refuse(c.result, "the result", Error::no_position);
}

}  // namespace

void bind_types(const Expr& expr, const BindOptions& options, Contraction& c) {
  c.semiring = !expr.names_semiring && options.has_semiring ? options.semiring : expr.semiring;
  DType promoted = c.operands[0].dtype;
  for (const TensorDesc& operand : c.operands) promoted = promote(promoted, operand.dtype);

  if (c.semiring == Semiring::or_and) {
    if (options.has_dtype && options.dtype != DType::boolean) {
      throw Error::input(fmt::format("or-and gives bool, but {} is asked for", name(options.dtype)));
    }
    c.result = DType::boolean;
  } else {
    c.result = options.has_dtype ? options.dtype : promoted;
    if (kind_of(c.result) < kind_of(promoted)) {
      throw Error::input(fmt::format("the operands give {} ({}), which cannot become {} ({})", name(promoted),
                                     kind_name(promoted), name(c.result), kind_name(c.result)));
    }
    if (ordered(c.semiring)) check_ordered(expr, c);
    if (c.result == DType::boolean) c.semiring = Semiring::or_and;
  }
  c.compute = accumulator(c.result);
}

}  // namespace einloom
