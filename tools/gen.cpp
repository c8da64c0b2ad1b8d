// einloom gen: seeded synthetic data.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "frontend/counted.h"
#include "frontend/text.h"
#include "tools/commands.h"
#include "tools/operands.h"
#include "tools/options.h"
#include "tools/report.h"

namespace einloom::tools {

namespace {

struct Arguments {
  std::string spec, dtype;
  std::vector<std::string> outs;
};

// Two outputs in one file would leave only the last.
void check_distinct(const std::vector<std::string>& outs) {
  std::vector<std::filesystem::path> seen;
  for (const std::string& out : outs) {
    std::error_code error;
    std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(out, error), error);
    if (error) whole = std::filesystem::path(out).lexically_normal();
    if (std::find(seen.begin(), seen.end(), whole) != seen.end())
      throw UsageError(fmt::format("-o {}: this file is named twice; each tensor needs its own", out));
    seen.push_back(std::move(whole));
  }
}

int generate(const Arguments& arguments) {
  for (const std::string& out : arguments.outs) check_output_name(out);
  check_distinct(arguments.outs);
  const std::vector<Tensor> tensors = generate_data(arguments.spec, dtype_or_none(arguments.dtype));
  if (tensors.size() != arguments.outs.size()) {
    throw UsageError(fmt::format("'{}' makes {}, {} -o given; give one each", arguments.spec,
                                 counted(tensors.size(), "tensor"), arguments.outs.size()));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    write(arguments.outs[i], fit_file(arguments.outs[i], tensors[i], Semiring::plus_times));
    note(fmt::format("{}: shape {}, {}, {}", arguments.outs[i], shape_text(tensors[i].extents()),
                     counted(tensors[i].nnz(), "value"), name(tensors[i].dtype())));
  }
  return 0;
}

}  // namespace

Action setup_gen(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("SPEC", arguments->spec, "what to make, see below")->required();
  app.add_option("-o,--output", arguments->outs, "where to write it; once for each tensor made")
      ->required()
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_dtype_option(app, arguments->dtype, "element type (default f64)");
  app.footer(
      "Specifications:\n"
      "  random:50x50:nnz=1000:seed=1[:skew=1.1]       exactly nnz distinct coordinates\n"
      "  dense:64x64:seed=1                            standard normal entries\n"
      "  cp:100x100x100:rank=5:noise=1e-3:seed=1       a CP model plus noise\n"
      "  tt:30x31x32:ranks=4,5   tr:30x31x32:ranks=3,4,5\n"
      "  frostt:nell-2[:scale=0.1]                     a stand-in: nell-2, nips, uber, chicago, vast-5d\n"
      "  published:nnz=100000:seed=1[:overlap=0.5]     two tensors\n\n"
      "Examples:\n"
      "  einloom gen random:50x50:nnz=1000:seed=1 -o S.tns\n"
      "  einloom gen published:nnz=1000:seed=1 -o A.tns -o B.tns");
  return [arguments] { return generate(*arguments); };
}

}  // namespace einloom::tools
