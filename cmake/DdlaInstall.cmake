# Installation: the library, its headers, a CMake package, a pkg-config file, the command.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS ddla ddla_arithmetic EXPORT ddla)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ddla ${PROJECT_BINARY_DIR}/include/ddla
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

# find_package(ddla 0.1 CONFIG).  What a static library links, its users must find.
get_target_property(ddla_type ddla TYPE)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ddla)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ddla-config.cmake.in
  ${PROJECT_BINARY_DIR}/ddla-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ddla-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ddla-config.cmake
  ${PROJECT_BINARY_DIR}/ddla-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindGMP.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparseOrderings.cmake
  DESTINATION ${package_dir})
install(EXPORT ddla NAMESPACE ddla:: FILE ddla-targets.cmake DESTINATION ${package_dir})

# pkg-config.  The prefix is found from the file's own place, so that a prefix can be moved.
set(pc_needs "-lgmp -lz -lamd -lcolamd -lsuitesparseconfig -pthread")
if(DDLA_HAS_CUDA)
  find_package(CUDAToolkit REQUIRED)
  string(APPEND pc_needs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
endif()
if(ddla_type STREQUAL "STATIC_LIBRARY")
  set(pc_libs "${pc_needs}")
else()
  set(pc_libs_private "${pc_needs}")
endif()
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix /prefix/${pkgconfig_dir} /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/ddla.pc.in ${PROJECT_BINARY_DIR}/ddla.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ddla.pc DESTINATION ${pkgconfig_dir})

if(TARGET ddla_c)
  install(TARGETS ddla_c ddla_c_static EXPORT ddla_c)
  install(FILES ${PROJECT_SOURCE_DIR}/bindings/c/ddla.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ddla_c NAMESPACE ddla:: FILE ddla-c-targets.cmake DESTINATION ${package_dir})
  if(TARGET ddla_fortran)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/fortran DESTINATION ${CMAKE_INSTALL_DATADIR}/ddla
      FILES_MATCHING PATTERN "*.f90" PATTERN "*.inc")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/ddla_c.pc.in ${PROJECT_BINARY_DIR}/ddla_c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/ddla_c.pc DESTINATION ${pkgconfig_dir})
  if(NOT ddla_type STREQUAL "STATIC_LIBRARY")
    set_target_properties(ddla_c PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endif()

if(TARGET ddla_command)
  install(TARGETS ddla_command)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/ddla.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  # Beside a shared library that lies where it was installed, wherever that is.  Not otherwise: to
  # make room for this path CMake fills that of the build tree with colons, and each of them says
  # "the current folder" to the loader.
  if(NOT ddla_type STREQUAL "STATIC_LIBRARY")
    file(RELATIVE_PATH lib_from_bin /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
    set_target_properties(ddla_command PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
  endif()
endif()
if(TARGET ddla_validate)
  install(TARGETS ddla_validate)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/ddla-validate.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  if(NOT ddla_type STREQUAL "STATIC_LIBRARY")
    set_target_properties(ddla_validate PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
  endif()
endif()
