// The steps of bind(), each a function of its arguments. Private to the frontend.
#pragma once

#include "contraction.h"

namespace einloom {

// "operand 1", or "operand 1 (B)" where the text names the tensor.
std::string operand_text(const Expr& expr, std::size_t operand);
// Number of operands, ranks and extents' signs; the number of modes each ellipsis stands for.
std::vector<int> check_operands(const Expr& expr, const std::vector<TensorDesc>& operands);
// Fills semiring, result and compute.
void bind_types(const Expr& expr, const BindOptions& options, Contraction& contraction);

}  // namespace einloom
