#include "load_llvm.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <llvm/ADT/StringMap.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <atomic>

#include "frontend/error.h"

namespace einloom {

namespace {

template <class T>
T take(llvm::Expected<T> value, const char* what) {
  if (!value) throw Error::internal(std::string(what) + ": " + llvm::toString(value.takeError()));
  return std::move(*value);
}

void check(llvm::Error error, const char* what) {
  if (error) throw Error::internal(std::string(what) + ": " + llvm::toString(std::move(error)));
}

}  // namespace

struct Loader::Impl {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::atomic<std::uint64_t> count{0};
};

Loader::Loader() : impl_(std::make_shared<Impl>()) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  impl_->jit = take(llvm::orc::LLJITBuilder().create(), "starting LLVM's ORC");
}

Loader::~Loader() = default;

LoadedCode Loader::load(const Binary& binary, const std::vector<std::string>& symbols) {
  llvm::orc::LLJIT& jit = *impl_->jit;
  llvm::orc::JITDylib& library =
      jit.getExecutionSession().createBareJITDylib("kernel" + std::to_string(impl_->count++));
  // Releases the library's memory when the last user of the kernel lets go; keeps the JIT alive until then.
  std::shared_ptr<void> owner(&library, [impl = impl_](void* p) {
    llvm::cantFail(impl->jit->getExecutionSession().removeJITDylib(*static_cast<llvm::orc::JITDylib*>(p)));
  });
  library.addGenerator(
      take(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit.getDataLayout().getGlobalPrefix()),
           "finding the process's symbols"));
  check(jit.addObjectFile(library, llvm::MemoryBuffer::getMemBufferCopy(binary.object, "kernel")), "loading a kernel");
  LoadedCode code;
  for (const std::string& symbol : symbols) {
    llvm::orc::ExecutorAddr address = take(jit.lookup(library, symbol), "linking a kernel");
    code.entries.push_back(address.toPtr<EntryFunction>());
  }
  code.owner = std::move(owner);
  return code;
}

HostCpu host_cpu() {
  HostCpu host;
  host.name = llvm::sys::getHostCPUName().str();
  host.triple = llvm::sys::getProcessTriple();
#if LLVM_VERSION_MAJOR >= 19
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
#else
  llvm::StringMap<bool> features;
  llvm::sys::getHostCPUFeatures(features);
#endif
  std::vector<std::string> list;
  for (const auto& f : features)
    if (f.second) list.push_back("+" + f.first().str());
  std::sort(list.begin(), list.end());
  for (const std::string& f : list) host.features += (host.features.empty() ? "" : ",") + f;
  return host;
}

}  // namespace einloom
