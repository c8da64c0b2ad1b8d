#include "context.h"

#include <fmt/format.h>
#include <unistd.h>

#include "frontend/error.h"
#include "parallel.h"
#include "plan_key.h"
#include "program.h"

namespace einloom {

ContextImpl::ContextImpl(int thread_count)
    : threads(thread_count > 0 ? thread_count : default_threads()),
      target(cpu_target(threads)),
      process(static_cast<long>(getpid())) {}

void ContextImpl::check_process() const {
  if (static_cast<long>(getpid()) != process)
    throw Error::device("this Context was made before a fork; a child process must make a Context of its own");
}

std::shared_ptr<ProgramImpl> obtain_program(ContextImpl& context, std::string_view text, Operands operands,
                                            const Options& options, const TensorDesc* output,
                                            const std::function<Expr()>& parse_it) {
  auto request = [&] {
    Request r;
    r.expr = parse_it();
    for (const Tensor& t : operands) r.operands.push_back(t.desc());
    r.options = options;
    if (output) r.output = *output;
    return r;
  };
  if (options.no_cache) return build_program(context, request());
  const Hash key = text_key(text, operands, options, output);
  if (auto found = context.plans.find(key)) return found;

  // Expressions that differ in their labels' names alone share one program.
  Request asked = request();
  const Hash second =
      canonical_key(einloom::bind(asked.expr, term_operands(asked), bind_options_of(options)), options, output);
  auto program = context.canonical.find(second);
  if (!program) {
    program = build_program(context, std::move(asked));
    context.canonical.insert(second, program);
  }
  context.plans.insert(key, program);
  return program;
}

namespace {

// A handle that keeps its context alive; the program itself must not, since the context's caches hold programs.
Program handle(const std::shared_ptr<ContextImpl>& context, Request request) {
  std::shared_ptr<ProgramImpl> program = build_program(*context, std::move(request));
  ProgramImpl* const raw = program.get();
  return Program(std::shared_ptr<ProgramImpl>(
      raw, [program = std::move(program), context](ProgramImpl*) mutable { program.reset(); }));
}

}  // namespace

Context::Context() : Context(Config{}) {}
Context::Context(Config config) {
  if (config.threads < 0 || config.threads > 4096)
    throw Error::input(fmt::format("a Context takes 1 to 4096 threads, {} were asked for", config.threads));
  impl_ = std::make_shared<ContextImpl>(config.threads);
}

Tensor Context::einsum(std::string_view expr, Operands operands, const Options& options) {
  impl_->check_process();
  return obtain_program(*impl_, expr, operands, options, nullptr, [&] { return parse(expr); })->run(operands, nullptr);
}

void Context::einsum_into(Tensor& out, std::string_view expr, Operands operands, const Options& options) {
  impl_->check_process();
  if (out.sparse()) throw Error::input("the output is sparse: only dense outputs can be written into");
  obtain_program(*impl_, expr, operands, options, &out.desc(), [&] { return parse(expr); })->run(operands, &out);
}

Tensor Context::einsum(std::span<const Indexed> operands, const std::vector<std::int64_t>* output,
                       const Options& options) {
  impl_->check_process();
  std::vector<std::vector<std::int64_t>> labels;
  std::vector<Tensor> tensors;
  std::string text = "\x01interleaved";  // no parsed text begins with this byte
  for (const Indexed& i : operands) {
    labels.push_back(i.labels);
    tensors.push_back(i.tensor);
    for (std::int64_t l : i.labels) text += fmt::format(" {}", l);
    text += ',';
  }
  if (output) {
    text += "->";
    for (std::int64_t l : *output) text += fmt::format(" {}", l);
  }
  return obtain_program(*impl_, text, tensors, options, nullptr, [&] { return interleaved(labels, output); })
      ->run(tensors, nullptr);
}

Program Context::compile(std::string_view expr, std::span<const TensorDesc> operands, const Options& options) {
  impl_->check_process();
  Request request;
  request.expr = parse(expr);
  request.operands.assign(operands.begin(), operands.end());
  request.options = options;
  return handle(impl_, std::move(request));
}

Program Context::compile(std::string_view expr, std::span<const TensorDesc> operands, const TensorDesc& output,
                         const Options& options) {
  impl_->check_process();
  if (output.sparse) throw Error::input("the output is sparse: only dense outputs can be written into");
  Request request;
  request.expr = parse(expr);
  request.operands.assign(operands.begin(), operands.end());
  request.options = options;
  request.output = output;
  return handle(impl_, std::move(request));
}

int Context::threads() const { return impl_->threads; }

Context::Stats Context::stats() const {
  return {impl_->plans.hits(), impl_->plans.misses(), impl_->kernels.hits(), impl_->kernels.misses()};
}

std::string Context::device_text() const { return to_text(impl_->target); }
std::string Context::device_json() const {
  return to_json(impl_->target, measure_rates(impl_->target, impl_->threads));
}

}  // namespace einloom
