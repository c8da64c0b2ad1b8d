// einloom run: contracts the tensors in files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
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
  std::string expr;
  std::vector<std::string> files;
  std::string out;
  CallOptions call;
  int repeat = 1;
  bool print = false, json = false;
};

struct Outcome {
  Tensor result;
  RunStats stats;
  Times times;
};

// A writable copy of its own.
Tensor copy_of(const Tensor& tensor) {
  return Tensor::from_raw(tensor.dtype(), tensor.extents(), tensor.data_raw(), static_cast<std::size_t>(tensor.nnz()));
}

Outcome contract(Context& context, const Arguments& arguments, const std::vector<Tensor>& operands,
                 const Options& options, Semiring semiring) {
  std::vector<TensorDesc> descs;
  for (const Tensor& operand : operands) descs.push_back(operand.desc());
  const bool accumulates = !arguments.call.accumulate.empty();
  const Tensor start = accumulates ? accumulate_start(arguments.call, descs, options, semiring) : Tensor();
  const Program program = accumulates ? context.compile(arguments.expr, descs, start.desc(), options)
                                      : context.compile(arguments.expr, descs, options);
  Outcome outcome;
  std::vector<double> milliseconds;
  for (int i = 0; i < arguments.repeat; ++i) {
    outcome.result = accumulates ? copy_of(start) : Tensor();
    const auto begin = std::chrono::steady_clock::now();
    if (accumulates) {
      program.run(operands, outcome.result);
    } else {
      outcome.result = program.run(operands);
    }
    milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  outcome.stats = program.stats();
  outcome.times = summarise(std::move(milliseconds));
  return outcome;
}

// Roofline time over measured time, with the rates the device description gives; null where it gives none.
Json fraction_of_roof(const Context& context, const Outcome& outcome) {
  const Json device = Json::parse(context.device_json(), nullptr, false);
  const bool wide = size_of(real_of(outcome.result.dtype())) == 8;
  const char* const rate = wide ? "flops_f64" : "flops_f32";
  const auto positive = [&](const char* key) {
    return device.is_object() && device.contains(key) && device[key].is_number() && device[key].get<double>() > 0;
  };
  if (!positive("bytes_per_second") || !positive(rate) || outcome.times.median <= 0) return nullptr;
  const double seconds = std::max(outcome.stats.bytes / device["bytes_per_second"].get<double>(),
                                  outcome.stats.flops / device[rate].get<double>());
  return seconds * 1e3 / outcome.times.median;
}

void report_json(const Context& context, const Arguments& arguments, const Outcome& outcome, Semiring semiring) {
  const auto& [result, stats, times] = outcome;
  Json json;
  json["expr"] = arguments.expr;
  json["device"] = "cpu";
  json["shape"] = result.extents();
  json["nnz"] = nonzeros(result, semiring);
  json["format"] = storage_name(result);
  json["dtype"] = name(result.dtype());
  json["norm"] = result.norm();
  json["sum"] = result.sum();
  json["plan_us"] = stats.plan_us;
  json["compile_ms"] = stats.compile_ms;
  json["cache"] = stats.cache;
  json["run_ms"] = {{"min", times.min}, {"median", times.median}, {"max", times.max}, {"runs", times.runs}};
  json["flops"] = stats.flops;
  json["bytes"] = stats.bytes;
  json["peak_bytes"] = stats.peak_bytes;
  json["fraction_of_roof"] = fraction_of_roof(context, outcome);
  put_json(json);
}

std::string times_text(const RunStats& stats, const Times& times) {
  std::string text = fmt::format("plan {}, compile {}, run {}", milliseconds_text(stats.plan_us / 1e3),
                                 milliseconds_text(stats.compile_ms), milliseconds_text(times.median));
  if (times.runs > 1) {
    text += fmt::format(" (median of {}, {} to {})", times.runs, milliseconds_text(times.min),
                        milliseconds_text(times.max));
  }
  return text;
}

void report_text(const Arguments& arguments, const Outcome& outcome, Semiring semiring) {
  const auto& [result, stats, times] = outcome;
  if (arguments.print || is_small(result)) {
    put(tensor_text(result));
    if (!arguments.out.empty()) note(fmt::format("written to {}", arguments.out));
    if (times.runs > 1) note(times_text(stats, times));
    return;
  }
  std::string text =
      fmt::format("shape {}, {}, {} {}\nnorm {}, sum {}\n{}\n", shape_text(result.extents()),
                  counted(nonzeros(result, semiring), "non-zero"), storage_name(result), name(result.dtype()),
                  real_text(result.norm()), real_text(result.sum()), times_text(stats, times));
  text += arguments.out.empty() ? "not written: give -o FILE, or --print to see it\n"
                                : fmt::format("written to {}\n", arguments.out);
  put(text);
}

int run(Arguments& arguments) {
  arguments.expr.erase(0, arguments.expr.find_first_not_of(' '));
  require_device(arguments.call.device);
  const Options options = to_options(arguments.call);
  if (!arguments.out.empty()) check_output_name(arguments.out);
  const Expr expr = parse(arguments.expr);
  const Semiring semiring = semiring_in_force(arguments.call, expr);

  const std::vector<Tensor> operands = load_operands(expr, arguments.files, arguments.call);
  Context context(Context::Config{arguments.call.threads});
  const Outcome outcome = contract(context, arguments, operands, options, semiring);
  if (!arguments.out.empty()) write(arguments.out, fit_file(arguments.out, outcome.result, semiring));
  if (arguments.json) {
    report_json(context, arguments, outcome, semiring);
  } else {
    report_text(arguments, outcome, semiring);
  }
  return 0;
}

}  // namespace

Action setup_run(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  app.add_option("EXPR", arguments->expr, "'ij,jk->ik', or index notation: 'C[i,k] = A[i,j] * B[j,k]'")->required();
  app.add_option("FILE", arguments->files, "an operand each; in index notation a tensor each, also as NAME=FILE");
  app.add_option("-o,--output", arguments->out, "write the result: .npy, .npz, .tns, .mtx, .csv")
      ->type_name("OUT")
      ->check(not_empty());
  add_call_options(app, arguments->call);
  add_dtype_option(app, arguments->call.dtype, "element type of the result");
  app.add_option("--repeat", arguments->repeat, "run N times and report the times")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  app.add_flag("--print", arguments->print, "print the result however large it is");
  app.add_flag("--json", arguments->json, "one JSON object instead of text");
  app.footer(
      "A small result is printed, of a larger one its shape, non-zeros and norm. A result written to .npz, .tns, .mtx "
      "or .csv\n"
      "drops its zeros.\n\n"
      "Examples:\n"
      "  einloom run 'ij,jk->ik' A.npy B.npy -o C.npy\n"
      "  einloom run 'ij,jk,ki->' graph.mtx graph.mtx graph.mtx\n"
      "  einloom run 'D[i,k] min= W[i,j] + W[j,k]' W=graph.mtx --json\n"
      "  einloom run 'abc,cd->abd' X.tns U.npy --format csf:2-0-1,- --out-format csf -o Y.tns");
  return [arguments] { return run(*arguments); };
}

}  // namespace einloom::tools
