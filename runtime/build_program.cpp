#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "frontend/error.h"
#include "frontend/text.h"
#include "program.h"

namespace einloom {

namespace {

// alpha and beta in a type or semiring that cannot hold them.
void check_scaling(const Options& o, const Contraction& c, DType stored) {
  const std::complex<double> one = 1, none = 0;
  if (c.semiring != Semiring::plus_times) {
    if (o.alpha != one) throw Error::input(std::string("alpha must be 1 under ") + name(c.semiring));
    if (o.beta != none && o.beta != one)
      throw Error::input(std::string("beta must be 0 or 1 under ") + name(c.semiring) + ": 1 reduces into the output");
    return;
  }
  for (auto [what, value] : {std::pair{"alpha", o.alpha}, {"beta", o.beta}}) {
    if (value.imag() != 0 && !is_complex(stored))
      throw Error::input(std::string(what) + " is complex, but the result is " + name(stored));
    if (!is_integer(stored)) continue;
    // The largest doubles below 2^31 and 2^63 are whole; NaN fails both comparisons.
    const double limit = stored == DType::i32 ? 2147483648.0 : 9223372036854775808.0;
    if (!(value.real() >= -limit && value.real() < limit) || value.real() != std::trunc(value.real()))
      throw Error::input(
          fmt::format("{} is {}, which is no whole number that {} can hold", what, value.real(), name(stored)));
  }
}

void check_output(const TensorDesc& out, const Contraction& c) {
  const std::vector<std::int64_t> extents = c.output_extents();
  if (out.sparse) throw Error::input("the output is sparse: only dense outputs can be written into");
  if (out.extents != extents)
    throw Error::input("the output has shape " + shape_text(out.extents) + ", the result has shape " +
                       shape_text(extents));
  if (is_complex(out.dtype) && c.semiring != Semiring::plus_times)
    throw Error::input(
        fmt::format("the output is {}, but {} is not defined for complex numbers", name(out.dtype), name(c.semiring)));
  if (promote(out.dtype, c.result) != out.dtype)
    throw Error::input(std::string("the output is ") + name(out.dtype) + ", which cannot hold a result of type " +
                       name(c.result));
}

class Clock {
 public:
  double microseconds() {
    const auto now = std::chrono::steady_clock::now();
    const double passed = std::chrono::duration<double, std::micro>(now - start_).count();
    start_ = now;
    return passed;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::vector<int> term_sources(const Request& request) {
  std::vector<std::string> names;
  std::vector<int> sources = operand_of(request.expr, &names);
  if (request.operands.size() == sources.size() || request.operands.size() != names.size())
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = static_cast<int>(i);
  return sources;
}

std::vector<TensorDesc> term_operands(const Request& request) {
  const std::vector<int> sources = term_sources(request);
  if (request.operands.size() >= sources.size()) return request.operands;
  std::vector<TensorDesc> terms;
  for (int s : sources)
    if (static_cast<std::size_t>(s) < request.operands.size())
      terms.push_back(request.operands[static_cast<std::size_t>(s)]);
  return terms;  // of another count than the terms if too few were given: bind() says so
}

BindOptions bind_options_of(const Options& options) {
  BindOptions bind_options;
  bind_options.broadcast = options.broadcast;
  bind_options.write_diagonal = options.write_diagonal;
  bind_options.has_dtype = options.dtype.has_value();
  bind_options.dtype = options.dtype.value_or(DType::f64);
  bind_options.has_semiring = options.semiring.has_value();
  bind_options.semiring = options.semiring.value_or(Semiring::plus_times);
  return bind_options;
}

std::shared_ptr<ProgramImpl> build_program(ContextImpl& context, Request request) {
  Clock clock;
  auto p = std::make_shared<ProgramImpl>();
  p->context = &context;
  p->request = std::move(request);
  Options& options = p->request.options;
  const Expr& expr = p->request.expr;
  p->sources = term_sources(p->request);
  p->trace.stages.push_back({"expr", to_string(expr), 0, true});

  BindOptions bind_options = bind_options_of(options);
  p->contraction = einloom::bind(expr, term_operands(p->request), bind_options);
  Contraction& c = p->contraction;
  p->trace.stages.push_back({"contraction", to_string(c), clock.microseconds(), true});

  PlanOptions& plan = p->plan_options;
  plan.layout = c.output.empty() ? Layout::dense : options.out_format;
  if (p->request.output) {
    check_output(*p->request.output, c);
    plan.layout = Layout::dense;
    plan.has_output = true;
    plan.output = *p->request.output;
    const bool asked_or_and =
        expr.semiring == Semiring::or_and || (bind_options.has_semiring && bind_options.semiring == Semiring::or_and);
    if (plan.output.dtype != c.result && c.semiring == Semiring::or_and && !asked_or_and && !bind_options.has_dtype) {
      // bool under plus-times was read as or-and; in a wider output it counts, as with the option dtype.
      bind_options.has_dtype = true;
      bind_options.dtype = plan.output.dtype;
      c = einloom::bind(expr, term_operands(p->request), bind_options);
    }
    if (plan.output.dtype != c.result) {  // sums are kept in what the output holds
      c.result = plan.output.dtype;
      if (c.semiring != Semiring::or_and) c.compute = accumulator(c.result);
    }
    if (c.accumulate && options.beta == std::complex<double>(0)) options.beta = 1;
  } else if (options.beta != std::complex<double>(0)) {
    throw Error::input("beta needs an output to accumulate into");
  }
  check_scaling(options, c, c.result);
  plan.scaled = options.alpha != std::complex<double>(1);
  plan.accumulates = options.beta != std::complex<double>(0);
  plan.path = options.path;
  plan.strategy = options.strategy;
  plan.memory_limit = options.memory_limit;
  p->plan = make_plan(c, plan, p->context->target, &p->trace);
  p->stats.plan_us = clock.microseconds();
  p->trace.stages.push_back({"path", path_report(p->plan, c, p->context->target), p->stats.plan_us, true});

  bool all_hit = true, any_kernel = false;
  for (const Step& step : p->plan.steps) {
    StepKernel kernel;
    if (step.strategy == Strategy::loops || step.strategy == Strategy::gett) {
      auto source = std::make_shared<Source>(generate(step, p->context->target, &p->trace));
      bool hit = false;
      any_kernel = true;
      kernel.code = options.no_cache ? p->context->kernels.compile_uncached(*source, p->context->target)
                                     : p->context->kernels.get(*source, p->context->target, &hit);
      kernel.source = std::move(source);
      all_hit = all_hit && hit;
    }
    p->kernels.push_back(std::move(kernel));
  }
  const double compile_us = clock.microseconds();
  p->trace.stages.push_back({"compile", "", compile_us, true});
  p->stats.compile_ms = compile_us / 1000;
  p->stats.cache = !any_kernel ? "none" : all_hit ? "memory" : "miss";
  p->stats.flops = p->plan.flops;
  p->stats.bytes = p->plan.bytes;
  p->stats.peak_bytes = p->plan.peak_bytes;
  return p;
}

}  // namespace einloom
