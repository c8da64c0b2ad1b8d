// einloom explain: what would run and why, with files or with shapes alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "tools/commands.h"
#include "tools/operands.h"
#include "tools/options.h"
#include "tools/report.h"

namespace einloom::tools {

namespace {

struct Arguments {
  std::string expr;
  std::vector<std::string> files;
  std::string shapes, nnz, stage;
  CallOptions call;
  bool json = false;
};

const std::vector<std::string> stages = {"expr", "contraction", "path", "plan", "kernel", "stages", "source", "asm"};

std::vector<TensorDesc> operands_of(const Arguments& arguments, const Expr& expr) {
  if (!arguments.shapes.empty()) {
    if (!arguments.files.empty()) throw UsageError("give files or --shapes, not both");
    if (!arguments.call.shape.empty()) throw UsageError("--shape goes with files; --shapes stands alone");
    return describe_operands(expr, arguments.shapes, arguments.nnz, arguments.call);
  }
  if (arguments.files.empty()) throw UsageError("explain needs files, or --shapes with an operand each");
  if (!arguments.nnz.empty()) throw UsageError("--nnz goes with --shapes; a file has its own non-zeros");
  std::vector<TensorDesc> descs;
  for (const Tensor& operand : load_operands(expr, arguments.files, arguments.call)) descs.push_back(operand.desc());
  return descs;
}

int explain(Arguments& arguments) {
  arguments.expr.erase(0, arguments.expr.find_first_not_of(' '));
  require_device(arguments.call.device);
  if (arguments.stage == "ptx")
    throw Error::device("stage 'ptx': a CPU has none, see --stage asm; this build has no CUDA");
  Options options = to_options(arguments.call);
  const Expr expr = parse(arguments.expr);
  // Without files --dtype is the operands' type, and the result follows from it.
  if (!arguments.shapes.empty()) options.dtype.reset();

  const std::vector<TensorDesc> operands = operands_of(arguments, expr);
  Context context(Context::Config{arguments.call.threads});
  const auto compile = [&] {
    if (arguments.call.accumulate.empty()) return context.compile(arguments.expr, operands, options);
    const Tensor start = accumulate_start(arguments.call, operands, options, semiring_in_force(arguments.call, expr));
    return context.compile(arguments.expr, operands, start.desc(), options);
  };
  const Program program = compile();
  const std::vector<std::string> shown = arguments.stage == "all"  ? stages
                                         : arguments.stage.empty() ? std::vector<std::string>{}
                                                                   : std::vector<std::string>{arguments.stage};
  if (arguments.json) {
    Json json = {{"expr", arguments.expr}, {"device", "cpu"}};
    const Json report = Json::parse(program.explain_json(), nullptr, false);
    if (report.is_object()) {
      json.update(report);
    } else {
      json["report"] = program.explain();
    }
    json.erase("stages");
    for (const std::string& stage : shown) json["stages"][stage] = program.stage(stage);
    put_json(json);
    return 0;
  }
  std::string text;
  if (shown.empty()) text = program.explain();
  for (const std::string& stage : shown) {
    if (shown.size() > 1) text += fmt::format("{}== {} ==\n", text.empty() ? "" : "\n", stage);
    text += program.stage(stage);
    if (!text.ends_with('\n')) text += '\n';
  }
  if (!text.ends_with('\n')) text += '\n';
  put(text);
  return 0;
}

}  // namespace

Action setup_explain(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("EXPR", arguments->expr, "'ij,jk->ik', or index notation: 'C[i,k] = A[i,j] * B[j,k]'")->required();
  app.add_option("FILE", arguments->files, "the operands; or --shapes");
  app.add_option("--shapes", arguments->shapes,
                 "extents of each operand, without data: 50x40,40x30 ('scalar' for none)")
      ->type_name("S,S,...");
  app.add_option("--nnz", arguments->nnz, "non-zeros of each operand of --shapes ('-': dense)")->type_name("N,N,...");
  std::vector<std::string> known = stages;
  known.insert(known.end(), {"ptx", "all"});
  app.add_option("--stage", arguments->stage, "show a stage's text; without it the path report is shown")
      ->type_name("STAGE")
      ->check(CLI::IsMember(known));
  add_call_options(app, arguments->call);
  add_dtype_option(app, arguments->call.dtype, "element type: of the result, with --shapes of the operands");
  app.add_flag("--json", arguments->json, "one JSON object instead of text");
  app.footer(
      "Stages: expr, contraction, path, plan, kernel (loops), stages (passes with their times), source (LLVM IR),\n"
      "asm (assembly), all.\n\n"
      "Examples:\n"
      "  einloom explain 'ij,jk->ik' A.npy B.npy\n"
      "  einloom explain 'ij,jk->ik' --shapes 64x32,32x16 --dtype f32 --stage asm\n"
      "  einloom explain 'abcde,bdace->abe' --shapes 50x50x50x20x10,50x20x50x50x10 --nnz 100000,100000 \\\n"
      "      --format csf,csf --stage all");
  return [arguments] { return explain(*arguments); };
}

}  // namespace einloom::tools
