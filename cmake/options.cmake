set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(EINLOOM_TESTS "Build the tests" ON)
option(EINLOOM_WERROR "Warnings are errors" ON)
set(EINLOOM_SANITIZE "" CACHE STRING "Sanitizers, as the compiler's -fsanitize= takes them")

add_library(einloom_flags INTERFACE)
target_compile_options(einloom_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(einloom_flags INTERFACE -Wno-restrict)   # g++ 12 warns of "literal" + std::string
endif()
if(EINLOOM_WERROR)
  target_compile_options(einloom_flags INTERFACE -Werror)
endif()
if(EINLOOM_SANITIZE)
  # g++ 12 sees uninitialised members in std::optional once code is instrumented.
  target_compile_options(einloom_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(einloom_flags INTERFACE -fsanitize=${EINLOOM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(einloom_flags INTERFACE -fsanitize=${EINLOOM_SANITIZE})
endif()
target_include_directories(einloom_flags INTERFACE ${CMAKE_SOURCE_DIR})

find_program(EINLOOM_CCACHE ccache)
if(EINLOOM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${EINLOOM_CCACHE})
endif()

# One room: an object library whose sources are listed in pipeline order.
function(einloom_room name)
  add_library(einloom_${name} OBJECT ${ARGN})
  target_link_libraries(einloom_${name} PRIVATE einloom_flags fmt::fmt Threads::Threads)
  set_target_properties(einloom_${name} PROPERTIES CXX_VISIBILITY_PRESET default)
endfunction()
