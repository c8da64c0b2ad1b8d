// ContextImpl: the state behind a Context.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "device_cpu.h"
#include "kernel_cache.h"
#include "plan_cache.h"
#include "planner/target.h"

namespace einloom {

struct ContextImpl {
  explicit ContextImpl(int thread_count);
  void check_process() const;  // throws after fork

  const int threads;
  const Target target;
  const long process;
  KernelCache kernels;
  PlanCache plans;      // by text
  PlanCache canonical;  // by Contraction
};

}  // namespace einloom
