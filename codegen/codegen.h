// The door of codegen: a Step becomes text, the text becomes bytes. No state, no device.
//
//   Source source = generate(step, target);
//   Binary binary = compile(source, target);
#pragma once

#include <string>
#include <vector>

#include "frontend/hash.h"
#include "frontend/trace.h"
#include "kernel.h"

namespace einloom {

// Generated text with all the runtime needs to call it. `text` names its entries @einloom_HASH_ENTRY.
struct Source {
  std::string text;         // LLVM IR
  std::string kernel_text;  // the loop IR, printed
  Hash key;                 // of text, target and compiler version: the kernel's identity
  std::vector<Slot> slots;
  std::vector<std::string> symbols;  // one an entry
  std::vector<Phase> phases;
  std::int64_t outer_count = 1;
  std::int64_t scratch_bytes = 0, shared_bytes = 0;
  int key_words = 0;
};

struct Binary {
  std::string object;  // a relocatable object file
};

// Strategies loops and gett only. Throws Error(internal) if its own text does not verify.
Source generate(const Step& step, const Target& target, Trace* trace = nullptr);
Binary compile(const Source& source, const Target& target);
std::string assemble(const Source& source, const Target& target);  // the stage "asm": assembly text
std::string compiler_version();                                    // "LLVM 19.1.7"

}  // namespace einloom
