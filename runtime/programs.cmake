set(einloom_runtime_programs
  device_cpu.cpp load_llvm.cpp kernel_cache.cpp plan_cache.cpp
  overlap.cpp sink.cpp bounds.cpp
  build_program.cpp run_step.cpp run_program.cpp
  program.cpp plan_key.cpp context.cpp version.cpp)
