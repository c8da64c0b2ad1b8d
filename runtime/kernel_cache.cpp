#include "kernel_cache.h"

namespace einloom {

KernelHandle KernelCache::compile_uncached(const Source& source, const Target& target) {
  return std::make_shared<const LoadedCode>(loader_.load(compile(source, target), source.symbols));
}

KernelHandle KernelCache::get(const Source& source, const Target& target, bool* hit) {
  std::promise<KernelHandle> promise;
  std::shared_future<KernelHandle> future;
  {
    std::lock_guard lock(mutex_);
    auto [it, fresh] = kernels_.try_emplace(source.key);
    if (fresh) it->second = promise.get_future().share();
    future = it->second;
    *hit = !fresh;
  }
  if (*hit) {
    ++hits_;
    return future.get();
  }
  ++misses_;
  try {
    promise.set_value(compile_uncached(source, target));
  } catch (...) {
    promise.set_exception(std::current_exception());
    std::lock_guard lock(mutex_);
    kernels_.erase(source.key);  // the next caller tries again
  }
  return future.get();
}

}  // namespace einloom
