// The options that `run` and `explain` share: from text on the command line to the library's Options.
//
// Words with a fixed list of values are checked by CLI11 or throw UsageError (exit status 2); shapes and formats are
// input and throw Error(input) (exit status 1).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/expr.h"
#include "runtime/einloom.h"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace einloom::tools {

// The command was called wrongly: exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct CallOptions {
  std::string device = "cpu";
  std::string dtype, format, out_format, semiring, shape;  // empty: not given
  std::string precision = "exact";
  std::string path = "auto", strategy = "auto";
  std::string alpha, beta, accumulate;
  std::string memory_limit;
  bool broadcast = false, write_diagonal = false, deterministic = false, no_cache = false;
  int threads = 0;
};

void add_call_options(CLI::App& app, CallOptions& call);
// Refuses an empty value.
CLI::Validator not_empty();
// `--dtype T` with its values listed.
CLI::Option* add_dtype_option(CLI::App& app, std::string& text, const std::string& help);

Options to_options(const CallOptions& call);
// The semiring in force: the text's own when it names one, otherwise the option's, otherwise plus-times.
Semiring semiring_in_force(const CallOptions& call, const Expr& expr);
// Throws Error(device) for a device this build does not have.
void require_device(const std::string& device);
std::optional<DType> dtype_or_none(const std::string& text);

// "50x40,-,scalar": extents an operand, none for '-'.
using Shape = std::vector<std::int64_t>;
std::vector<std::optional<Shape>> parse_shapes(const std::string& text);
// "1000,-": a count an operand, none for '-'.
std::vector<std::optional<std::int64_t>> parse_counts(const std::string& text);
// "csf,-,csc": a format an operand, "" for '-'. Numbers after a ':' belong to the format before them, so both
// "csf:2,0,1,coo" and "csf:2-0-1,coo" are two formats; '-' between modes comes back as ','.
std::vector<std::string> split_formats(const std::string& text);

std::complex<double> parse_complex(const std::string& text);  // "2", "-1.5e3", "1+2i", "3i"
std::int64_t parse_bytes(const std::string& text);            // "64", "64K", "1M", "2G": powers of 1024

}  // namespace einloom::tools
