#include "program.h"

#include <fmt/format.h>

#include "codegen/codegen.h"
#include "frontend/error.h"
#include "frontend/text.h"

namespace einloom {

namespace {

// One text a generated step, under a line that names it.
template <class F>
std::string each_kernel(const ProgramImpl& p, const char* mark, const F& text) {
  std::string out;
  for (std::size_t s = 0; s < p.plan.steps.size(); ++s) {
    const Step& step = p.plan.steps[s];
    out += fmt::format("{} step {}: {}\n", mark, s, name(step.strategy));
    out += p.kernels[s].source ? text(*p.kernels[s].source)
                               : fmt::format("{} a primitive of the runtime; no kernel is generated\n", mark);
  }
  if (out.empty()) out = fmt::format("{} no step: nothing is generated\n", mark);
  return out;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char ch : text) {
    const auto byte = static_cast<unsigned char>(ch);
    if (ch == '"' || ch == '\\')
      out += std::string("\\") + ch;
    else if (ch == '\n')
      out += "\\n";
    else if (byte < 0x20)
      out += fmt::format("\\u{:04x}", byte);
    else
      out += ch;
  }
  return out + '"';
}

}  // namespace

Tensor Program::run(Operands operands) const { return impl_->run(operands, nullptr); }
void Program::run(Operands operands, Tensor& out) const {
  if (impl_->plan_options.layout == Layout::dense)
    impl_->run(operands, &out);
  else
    out = impl_->run(operands, nullptr);
}
RunStats Program::stats() const { return impl_->stats; }

std::string Program::explain() const {
  std::string text = path_report(impl_->plan, impl_->contraction, impl_->context->target);
  for (std::size_t s = 0; s < impl_->kernels.size(); ++s)
    if (impl_->kernels[s].source)
      text += fmt::format("kernel of step {}: {}\n", s, impl_->kernels[s].source->key.hex());
  text += fmt::format("plan {:.0f} us, compile {:.1f} ms, kernels from: {}\n", impl_->stats.plan_us,
                      impl_->stats.compile_ms, impl_->stats.cache);
  return text;
}

std::string Program::stage(std::string_view name) const {
  const ProgramImpl& p = *impl_;
  if (name == "expr") return to_string(p.request.expr);
  if (name == "contraction") return to_string(p.contraction);
  if (name == "path") return path_report(p.plan, p.contraction, p.context->target);
  if (name == "plan") return to_string(p.plan);
  if (name == "kernel") return each_kernel(p, "#", [](const Source& k) { return k.kernel_text; });
  if (name == "source") return each_kernel(p, ";", [](const Source& k) { return k.text; });
  if (name == "asm") return each_kernel(p, "#", [&](const Source& k) { return assemble(k, p.context->target); });
  if (name == "stages") {
    std::string text;
    for (const Trace::Stage& s : p.trace.stages)
      text += fmt::format("{:<14}{:>10.1f} us{}\n", s.name, s.microseconds, s.changed ? "" : "  (unchanged)");
    return text;
  }
  throw Error::input(fmt::format(
      "there is no stage '{}'; the stages are expr, contraction, path, plan, kernel, stages, source, asm", name));
}

std::string Program::explain_json() const {
  const Plan& plan = impl_->plan;
  std::string steps;
  for (std::size_t s = 0; s < plan.steps.size(); ++s) {
    const Step& step = plan.steps[s];
    steps += fmt::format(R"({}{{"strategy": "{}", "flops": {}, "bytes": {}, "chunks": {}, "note": {}, "kernel": {}}})",
                         s ? ", " : "", name(step.strategy), step.flops, step.bytes, step.chunks, quoted(step.note),
                         impl_->kernels[s].source ? quoted(impl_->kernels[s].source->key.hex()) : "null");
  }
  std::string stages;
  for (const char* stage_name : {"expr", "contraction", "path", "plan", "kernel", "stages", "source", "asm"})
    stages += fmt::format("{}\"{}\": {}", stages.empty() ? "" : ", ", stage_name, quoted(stage(stage_name)));
  return fmt::format(
      R"({{"path": "{}", "path_method": "{}", "naive_flops": {}, "flops": {}, "bytes": {}, "seconds": {}, "peak_bytes": {}, "plan_us": {}, "compile_ms": {}, "cache": "{}", "steps": [{}], "stages": {{{}}}}})",
      plan.path_text, plan.path_method, plan.naive_flops, plan.flops, plan.bytes, plan.seconds, plan.peak_bytes,
      impl_->stats.plan_us, impl_->stats.compile_ms, impl_->stats.cache, steps, stages);
}

}  // namespace einloom
