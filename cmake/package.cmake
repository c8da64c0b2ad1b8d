# What `cmake --install` lays down: the library, its headers, the command, and the package find_package(einloom) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/einloom)

install(TARGETS einloom EXPORT einloom_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS einloom_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set_target_properties(einloom_command PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
install(EXPORT einloom_targets NAMESPACE einloom:: DESTINATION ${package_dir} FILE einloomTargets.cmake)

install(FILES runtime/einloom.h runtime/interop.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/einloom)
install(DIRECTORY frontend/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/einloom/frontend FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

file(WRITE ${CMAKE_BINARY_DIR}/einloomConfig.cmake
  "include(\"\${CMAKE_CURRENT_LIST_DIR}/einloomTargets.cmake\")\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/einloomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/einloomConfig.cmake ${CMAKE_BINARY_DIR}/einloomConfigVersion.cmake
  DESTINATION ${package_dir})
