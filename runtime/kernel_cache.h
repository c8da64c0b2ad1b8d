// Kernels in memory: content-addressed, one compile a key however many threads ask.
#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "codegen/codegen.h"
#include "load_llvm.h"

namespace einloom {

// Code alone: equal text may serve steps whose phases differ, so those stay with the program.
using KernelHandle = std::shared_ptr<const LoadedCode>;

class KernelCache {
 public:
  // Compiles and loads unless some caller has, or is doing so. `hit` is set to whether the kernel was there.
  KernelHandle get(const Source& source, const Target& target, bool* hit);
  KernelHandle compile_uncached(const Source& source, const Target& target);
  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  Loader loader_;
  std::mutex mutex_;  // guards the map only, never held while compiling
  std::unordered_map<Hash, std::shared_future<KernelHandle>, HashOf> kernels_;
  std::atomic<std::uint64_t> hits_{0}, misses_{0};
};

}  // namespace einloom
