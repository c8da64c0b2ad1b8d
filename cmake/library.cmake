# The library: all rooms in one shared object, and the tree of public headers as <einloom/...> sees it.
add_library(einloom SHARED
  $<TARGET_OBJECTS:einloom_frontend> $<TARGET_OBJECTS:einloom_planner> $<TARGET_OBJECTS:einloom_codegen>
  $<TARGET_OBJECTS:einloom_runtime>)
add_library(einloom::einloom ALIAS einloom)
set_target_properties(einloom PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
target_link_libraries(einloom PRIVATE einloom_flags LLVM TBB::tbb fmt::fmt ZLIB::ZLIB ${EINLOOM_ZIP} ${EINLOOM_XXHASH}
  Threads::Threads)

set(public_headers ${CMAKE_BINARY_DIR}/include/einloom)
file(MAKE_DIRECTORY ${public_headers})
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/frontend ${public_headers}/frontend SYMBOLIC)
foreach(header runtime/einloom.h runtime/interop.h)
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${header} ${public_headers}/${name} SYMBOLIC)
endforeach()
target_compile_features(einloom PUBLIC cxx_std_20)
target_include_directories(einloom INTERFACE
  $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include> $<INSTALL_INTERFACE:include>)
