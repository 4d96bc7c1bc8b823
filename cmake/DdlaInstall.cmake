# Installation: the library, its headers, a CMake package, pkg-config files, the command.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What goes into one package: libddla, libddla_c, what a compiler needs, the command.
set(dev COMPONENT development)
function(install_library target export component)
  install(TARGETS ${target} EXPORT ${export}
    LIBRARY COMPONENT ${component} NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development)
endfunction()

get_target_property(ddla_type ddla TYPE)
if(ddla_type STREQUAL "STATIC_LIBRARY")
  set(ddla_kind static)
else()
  set(ddla_kind shared)
endif()
set_target_properties(ddla PROPERTIES EXPORT_NAME ${ddla_kind})
install_library(ddla ddla_${ddla_kind} library)
if(TARGET ddla_shared)
  set_target_properties(ddla_shared PROPERTIES EXPORT_NAME shared)
  install_library(ddla_shared ddla_shared library)
endif()
install(TARGETS ddla_arithmetic EXPORT ddla)
foreach(kind mpi nccl)
  if(TARGET ddla_${kind})
    install_library(ddla_${kind} ddla_${kind} development)
  endif()
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ddla ${PROJECT_BINARY_DIR}/include/ddla
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${dev} FILES_MATCHING PATTERN "*.hpp")

# find_package(ddla 0.1 CONFIG).  What a static library links, its users must find.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ddla)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ddla-config.cmake.in
  ${PROJECT_BINARY_DIR}/ddla-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ddla-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ddla-config.cmake
  ${PROJECT_BINARY_DIR}/ddla-config-version.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindGMP.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSuiteSparseOrderings.cmake
  DESTINATION ${package_dir} ${dev})

# pkg-config.  The prefix is found from the file's own place, so that a prefix can be moved.
set(pc_needs "-lgmp -lz -lamd -lcolamd -lsuitesparseconfig -pthread")
if(DDLA_HAS_CUDA)
  find_package(CUDAToolkit REQUIRED)
  string(APPEND pc_needs " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
endif()
if(ddla_kind STREQUAL "static" AND NOT TARGET ddla_shared)
  set(pc_libs "${pc_needs}")
else()
  set(pc_libs_private "${pc_needs} -lstdc++ -lm")
endif()
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_prefix /prefix/${pkgconfig_dir} /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/ddla.pc.in ${PROJECT_BINARY_DIR}/ddla.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ddla.pc DESTINATION ${pkgconfig_dir} ${dev})

if(TARGET ddla_c)
  install_library(ddla_c ddla_c c_library)
  install_library(ddla_c_static ddla_${ddla_kind} development)
  install(FILES ${PROJECT_SOURCE_DIR}/bindings/c/ddla.h ${PROJECT_SOURCE_DIR}/bindings/c/ddla_mpi.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${dev})
  install(EXPORT ddla_c NAMESPACE ddla:: FILE ddla-c-targets.cmake
    DESTINATION ${package_dir} ${dev})
  if(TARGET ddla_fortran)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/fortran DESTINATION ${CMAKE_INSTALL_DATADIR}/ddla
      ${dev} FILES_MATCHING PATTERN "*.f90" PATTERN "*.inc" PATTERN "*.c")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/ddla_c.pc.in ${PROJECT_BINARY_DIR}/ddla_c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/ddla_c.pc DESTINATION ${pkgconfig_dir} ${dev})
endif()
install(EXPORT ddla NAMESPACE ddla:: FILE ddla-targets.cmake DESTINATION ${package_dir} ${dev})
foreach(kind mpi nccl)
  if(TARGET ddla_${kind})
    install(EXPORT ddla_${kind} NAMESPACE ddla:: FILE ddla-${kind}-targets.cmake
      DESTINATION ${package_dir} ${dev})
  endif()
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindNccl.cmake DESTINATION ${package_dir} ${dev})
foreach(kind static shared)
  if(kind STREQUAL ddla_kind OR TARGET ddla_${kind})
    install(EXPORT ddla_${kind} NAMESPACE ddla:: FILE ddla-${kind}-targets.cmake
      DESTINATION ${package_dir} ${dev})
  endif()
endforeach()

# Programs, their manual pages and what shells complete.
if(TARGET ddla_on_ranks)
  install(TARGETS ddla_on_ranks RUNTIME COMPONENT mpi)
endif()
if(TARGET ddla_command)
  install(TARGETS ddla_command RUNTIME COMPONENT command)
  install(FILES ${PROJECT_BINARY_DIR}/manual/ddla.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT command)
  install(FILES ${PROJECT_BINARY_DIR}/completions/ddla
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
  # zsh looks into site-functions, Debian's for packages into vendor-completions.
  install(FILES ${PROJECT_BINARY_DIR}/completions/_ddla
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${DDLA_ZSH_FOLDER} COMPONENT command)
endif()
if(TARGET ddla_validate)
  install(TARGETS ddla_validate RUNTIME COMPONENT command)
  install(FILES ${PROJECT_BINARY_DIR}/manual/ddla-validate.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT command)
endif()

# Beside a shared library that lies where it was installed, wherever that is.  Not otherwise: to
# make room for this path CMake fills that of the build tree with colons, and each of them says
# "the current folder" to the loader.
if(ddla_kind STREQUAL "shared")
  file(RELATIVE_PATH lib_from_bin /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  foreach(program ddla_command ddla_on_ranks ddla_validate)
    if(TARGET ${program})
      set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
    endif()
  endforeach()
  if(TARGET ddla_c)
    set_target_properties(ddla_c PROPERTIES INSTALL_RPATH "$ORIGIN")
  endif()
endif()
