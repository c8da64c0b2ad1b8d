// LLVM IR text to object bytes or assembly: parse, a short list of passes, the target's code generator.
// One of the two files that include LLVM; see runtime/load_llvm.cpp for the other.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <llvm/AsmParser/Parser.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#pragma GCC diagnostic pop

#include <fmt/format.h>

#include "codegen.h"
#include "frontend/error.h"

namespace einloom {

namespace {

// The pass list: what generated loops need and no more (no inliner beyond the search helpers, no interprocedural
// passes).
constexpr const char* pass_list =
    "always-inline,function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,loop-mssa(loop-rotate,licm),"
    "loop(indvars),loop-vectorize,instcombine<no-verify-fixpoint>,simplifycfg,early-cse)";

void initialize() {
  static const bool done = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  (void)done;
}

std::string numbered(const std::string& text) {
  std::string out;
  std::size_t line = 1, from = 0;
  while (from < text.size()) {
    std::size_t end = text.find('\n', from);
    if (end == std::string::npos) end = text.size();
    out += fmt::format("{:5}  {}\n", line++, text.substr(from, end - from));
    from = end + 1;
  }
  return out;
}

std::unique_ptr<llvm::TargetMachine> machine_for(const Target& target) {
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(target.triple, error);
  if (!found) throw Error::device("LLVM has no code generator for " + target.triple + ": " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  std::unique_ptr<llvm::TargetMachine> machine(
      found->createTargetMachine(target.triple, target.arch, target.features, options, llvm::Reloc::PIC_, std::nullopt,
                                 llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  if (!machine) throw Error::internal("LLVM made no target machine for " + target.arch);
  return machine;
}

std::string compile_to(const Source& source, const Target& target, llvm::CodeGenFileType kind) {
  initialize();
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(source.text, diagnostic, context);
  if (!module)
    throw Error::internal(fmt::format("generated LLVM IR does not parse: line {}: {}\n{}", diagnostic.getLineNo(),
                                      diagnostic.getMessage().str(), numbered(source.text)));
  std::unique_ptr<llvm::TargetMachine> machine = machine_for(target);
  module->setDataLayout(machine->createDataLayout());
  const std::string width = std::to_string(target.vector_bytes * 8);
  for (llvm::Function& f : *module) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", target.arch);
    f.addFnAttr("target-features", target.features);
    f.addFnAttr("prefer-vector-width", width);
  }

  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  llvm::PassBuilder builder(machine.get(), tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error bad = builder.parsePassPipeline(passes, pass_list))
    throw Error::internal("LLVM refuses the pass list: " + llvm::toString(std::move(bad)));
  passes.run(*module, modules);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager emit;
  if (machine->addPassesToEmitFile(emit, stream, nullptr, kind))
    throw Error::internal("LLVM cannot write this kind of file");
  emit.run(*module);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

Binary compile(const Source& source, const Target& target) {
  return {compile_to(source, target, llvm::CodeGenFileType::ObjectFile)};
}

std::string assemble(const Source& source, const Target& target) {
  return compile_to(source, target, llvm::CodeGenFileType::AssemblyFile);
}

std::string compiler_version() { return "LLVM " LLVM_VERSION_STRING; }

}  // namespace einloom
