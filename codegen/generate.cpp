#include <fmt/format.h>

#include <chrono>

#include "codegen.h"
#include "frontend/error.h"

namespace einloom {

namespace {

struct Pass {
  const char* name;
  Kernel (*run)(const Kernel&);
};
// The passes over a lowered kernel, in order; the verifier runs after each.
constexpr Pass passes[] = {{"simplify", simplify}};

double microseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

// Entries are printed as @einloom_NAME; the kernel's hash goes between, so log, profiler and cache agree on the name.
std::string with_hash(const std::string& text, const std::string& hash) {
  std::string out;
  const std::string mark = "@einloom_";
  std::size_t from = 0;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, from)) {
    out.append(text, from, at + mark.size() - from);
    out += hash + "_";
    from = at + mark.size();
  }
  return out.append(text, from, std::string::npos);
}

}  // namespace

Source generate(const Step& step, const Target& target, Trace* trace) {
  auto start = std::chrono::steady_clock::now();
  auto record = [&](const char* stage, const Kernel& kernel, bool changed) {
    if (trace) trace->stages.push_back({stage, to_string(kernel), microseconds_since(start), changed});
    start = std::chrono::steady_clock::now();
  };

  Kernel kernel = step.strategy == Strategy::gett ? lower_gett(step, target) : lower_loops(step, target);
  verify(kernel);
  record("lower", kernel, true);
  for (const Pass& pass : passes) {
    Kernel next = pass.run(kernel);
    verify(next);
    record(pass.name, next, !trace || to_string(next) != to_string(kernel));
    kernel = std::move(next);
  }

  Source source;
  const std::string text = emit_llvm(kernel, target);
  source.key = hash_text(fmt::format("{}\n{}\n{}\n{}", text, target.arch, target.features, compiler_version()));
  const std::string hash = source.key.hex();
  source.text = with_hash(text, hash);
  source.kernel_text = to_string(kernel);
  source.slots = kernel.slots;
  for (const Entry& e : kernel.entries) source.symbols.push_back("einloom_" + hash + "_" + e.name);
  source.phases = kernel.phases;
  source.outer_count = kernel.outer_count;
  source.scratch_bytes = kernel.scratch_bytes;
  source.shared_bytes = kernel.shared_bytes;
  source.key_words = kernel.key_words;
  if (trace) trace->stages.push_back({"emit", source.text, microseconds_since(start), true});
  return source;
}

}  // namespace einloom
