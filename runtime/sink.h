// Rows of a sparse result as generated code appends them: one Sink a chunk, made into one Coo.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "codegen/codegen.h"
#include "storage.h"

namespace einloom {

class SinkSet {
 public:
  // `ordered`: rows come sorted and distinct within a chunk; otherwise a full sink first combines equal rows, so that
  // memory stays near the size of the result rather than the number of products.
  SinkSet(std::int64_t chunks, KeyLayout layout, DType type, Semiring semiring, bool ordered);
  ~SinkSet();
  SinkSet(const SinkSet&) = delete;
  SinkSet& operator=(const SinkSet&) = delete;

  Sink* data() { return sinks_.data(); }
  Coo take();  // sorted and combined. Throws Error(memory) if a chunk ran out of memory

 private:
  struct Rows;  // what backs one Sink
  static std::int32_t grow(Sink* sink) noexcept;

  KeyLayout layout_;
  DType type_;
  Semiring semiring_;
  bool ordered_;
  std::atomic<bool> failed_{false};  // some chunk ran out of memory: the others need not go on
  std::vector<Sink> sinks_;
  std::vector<std::unique_ptr<Rows>> rows_;
};

}  // namespace einloom
