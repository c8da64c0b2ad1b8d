# Who may include whom, checked over every source of the tree at ROOT:
#   1. a room includes itself and rooms to its left, tools, examples and benchmarks only public headers;
#   2. a room is entered by its doors;
#   3. a third-party header is included in its own files alone, and by no public header.
# Prints each offending line with the fix and fails if there is any.
cmake_minimum_required(VERSION 3.22)
set(rooms frontend planner codegen runtime decomps)
set(doors_frontend [[.*]])
set(doors_planner [[^(target|plan)\.h$]])
set(doors_codegen [[^codegen\.h$]])
set(doors_runtime [[^(einloom|interop)\.h$]])
set(doors_decomps [[^decomps\.h$]])
# pattern of the header, files that may have it (a regular expression), what to call
set(parties
  "llvm(-c)?/" [[^codegen/compile_llvm\.cpp$|^runtime/load_llvm\.cpp$]] "LLVM lives in codegen/compile_llvm.cpp and runtime/load_llvm.cpp"
  "tao/" [[^frontend/grammar[a-z_]*\.h$|^frontend/parse[a-z_]*\.cpp$]] "PEGTL lives in frontend/grammar.h: call parse()"
  "(oneapi/)?tbb/" [[^runtime/parallel\.cpp$]] "oneTBB lives in runtime/parallel.cpp: call runtime/parallel.h"
  "(zlib|zip)\\.h" [[^runtime/files/[a-z_]+\.cpp$|^tests/.*]] "zlib and libzip live in runtime/files"
  "xxhash\\.h" [[^frontend/hash\.cpp$]] "xxHash lives in frontend/hash.cpp: call frontend/hash.h"
  "(CLI/|nlohmann/|editline/|histedit)" [[^tools/.*|^tests/.*|^bench/.*]] "command-line libraries belong to tools"
  "(cuda|nvrtc|cublas|cusolver)" [[^$]] "CUDA is not part of this build"
  "(catch2/|benchmark/)" [[^tests/.*|^bench/.*]] "test libraries belong to tests and bench")
set(public runtime/einloom.h runtime/interop.h frontend/dtype.h frontend/error.h frontend/semiring.h frontend/tensor_desc.h)

set(faults 0)
function(fault file line text fix)
  math(EXPR faults "${faults}+1")
  set(faults ${faults} PARENT_SCOPE)
  message("${file}:${line}: #include ${text}\n    fix: ${fix}")
endfunction()

macro(check_room)
  # From a room: itself, and to the left through doors. From outside: doors alone.
  list(FIND rooms "${from}" from_at)
  list(FIND rooms "${to}" to_at)
  if(from STREQUAL to OR from STREQUAL "tests")
    # a room's own headers; tests may look inside
  elseif(from_at GREATER_EQUAL 0 AND to_at GREATER from_at)
    fault(${file} ${number} "${header}" "${to} stands to the right of ${from}: return the value instead, or move what both need into ${from}")
  elseif(NOT rest MATCHES "${doors_${to}}")
    fault(${file} ${number} "${header}" "enter ${to} by a door only (see docs/design.md, rule 2)")
  elseif(from MATCHES "^(examples)$")
    fault(${file} ${number} "${header}" "a user includes <einloom/...>")
  endif()
endmacro()

macro(check_line)
  if(line MATCHES "^[ \t]*#[ \t]*include[ \t]*([<\"])([^>\"]+)[>\"]")
    set(quote "${CMAKE_MATCH_1}")
    set(header "${CMAKE_MATCH_2}")
    if(header MATCHES "^([a-z]+)/(.+)$" AND CMAKE_MATCH_1 IN_LIST rooms)
      string(REGEX REPLACE "/.*$" "" to "${header}")
      string(REGEX REPLACE "^[a-z]+/" "" rest "${header}")
      check_room()
    elseif(header MATCHES "\\.\\./")
      fault(${file} ${number} "${header}" "name the file from the root: \"room/header.h\"")
    endif()
    set(left "${parties}")
    while(left)
      list(POP_FRONT left pattern allowed why)
      if(header MATCHES "^${pattern}" AND quote STREQUAL "<")
        if(NOT file MATCHES "${allowed}")
          fault(${file} ${number} "<${header}>" "${why}")
        endif()
      endif()
    endwhile()
    if(file IN_LIST public AND quote STREQUAL "<" AND header MATCHES "[/.]")
      fault(${file} ${number} "<${header}>" "a public header includes the standard library and public headers alone")
    elseif(file IN_LIST public AND quote STREQUAL "\"")
      string(REGEX REPLACE "/[^/]*$" "" own ${file})
      if(NOT header IN_LIST public AND NOT "${own}/${header}" IN_LIST public)
        fault(${file} ${number} "\"${header}\"" "a public header includes the standard library and public headers alone")
      endif()
    endif()
  endif()
endmacro()

set(count 0)
foreach(from ${rooms} tools tests examples bench)
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${from}/*.h ${ROOT}/${from}/*.cpp)
  foreach(file ${files})
    math(EXPR count "${count}+1")
    file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include")
    set(number 0)  # counts include lines
    foreach(line IN LISTS lines)
      math(EXPR number "${number}+1")
      check_line()
    endforeach()
  endforeach()
endforeach()

if(faults GREATER 0)
  message(FATAL_ERROR "layering: ${faults} faults in ${count} files (numbers count include lines)")
endif()
message(STATUS "layering: ${count} files are in order")
