// Operands of `run` and `explain`: files bound to an expression, read and stored as asked, or described without data.
//
// Everything here throws Error(input) when files, shapes or formats do not fit the expression.
#pragma once

#include <string>
#include <vector>

#include "frontend/expr.h"
#include "runtime/einloom.h"
#include "tools/options.h"

namespace einloom::tools {

// The files in operand order. Index notation: names take files by first appearance, or by NAME=FILE.
std::vector<std::string> bind_files(const Expr& expr, const std::vector<std::string>& arguments);
// Reads them; a file named twice with the same shape and format is read once.
std::vector<Tensor> load_operands(const Expr& expr, const std::vector<std::string>& arguments, const CallOptions& call);
// Descriptors from --shapes, --nnz, --format and --dtype.
std::vector<TensorDesc> describe_operands(const Expr& expr, const std::string& shapes, const std::string& nnz,
                                          const CallOptions& call);

// What --accumulate names, dense and in a type that holds both it and the contraction of `operands`.
Tensor accumulate_start(const CallOptions& call, const std::vector<TensorDesc>& operands, const Options& options,
                        Semiring semiring);
// read(), with extents asked for: they are given to the formats that do not tell their own, and checked for the others.
Tensor read_shaped(const std::string& file, const std::optional<Shape>& shape, ReadOptions options);

// Throws unless the extension names a format, so that nothing is computed that cannot be written.
void check_output_name(const std::string& path);
// What a file's extension holds best: .npy dense, the others sparse (zeros dropped); a scalar stays as it is.
Tensor fit_file(const std::string& path, const Tensor& tensor, Semiring semiring);

}  // namespace einloom::tools
