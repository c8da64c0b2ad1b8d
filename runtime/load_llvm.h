// Object bytes to callable code, and what LLVM knows of this machine. load_llvm.cpp is the second file that includes
// LLVM.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codegen/codegen.h"

namespace einloom {

using EntryFunction = void (*)(std::int64_t begin, std::int64_t end, void* args);

// Linked code; it stays mapped while this object lives.
struct LoadedCode {
  std::vector<EntryFunction> entries;  // one a symbol, in order
  std::shared_ptr<void> owner;
};

class Loader {
 public:
  Loader();
  ~Loader();
  LoadedCode load(const Binary& binary,
                  const std::vector<std::string>& symbols);  // thread-safe; throws Error(internal)

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

struct HostCpu {
  std::string name, features, triple;
};
HostCpu host_cpu();

}  // namespace einloom
