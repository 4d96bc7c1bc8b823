# Debian packages, by cpack: scripts/package-deb.
#
#     libddla0.1, libddla-c0.1   the shared libraries, which packages of two versions may share
#     libddla-dev                headers, static libraries, CMake package, pkg-config, Fortran module
#     ddla                       the command, ddla-validate, manual pages, completion
#     ddla-mpi                   the command on ranks of MPI, where it was built
#     python3-ddla               the Python package, for the Python that it was built with
set(abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ddla)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "ddla developers <ddla@localhost>" CACHE STRING "Maintainer of packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libddla${abi})
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_NAME libddla-c${abi})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libddla-dev)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME ddla)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-ddla)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(same_version "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libddla${abi} ${same_version}, libgmp-dev, zlib1g-dev, libsuitesparse-dev")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "Solves, products and error estimates for sparse matrices in double and in
 double-double precision, with the same bits on every machine.")
set(CPACK_DEBIAN_C_LIBRARY_DESCRIPTION "The C interface of ddla, which other languages call.")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Sparse solves with error estimates, and numbers and arrays in double-double,
 for matrices of scipy and arrays of numpy.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Headers, libraries, CMake package, pkg-config files and Fortran module.")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "The ddla command: solves systems in Matrix Market files and says how many
 digits are right.")

set(CPACK_COMPONENTS_ALL library development)
if(TARGET ddla_c)
  list(APPEND CPACK_COMPONENTS_ALL c_library)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libddla-c${abi} ${same_version}")
endif()
if(TARGET ddla_command)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()
if(TARGET ddla_on_ranks)  # by itself: who has no MPI needs none
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME ddla-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "ddla ${same_version}, openmpi-bin")
  set(CPACK_DEBIAN_MPI_DESCRIPTION "The ddla command on ranks of MPI, which ddla starts under mpirun.")
endif()
if(TARGET ddla_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  # An extension of the stable ABI (3.12) serves all later versions, another one its own.
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3-numpy, python3-scipy")
  if(Python_VERSION VERSION_LESS 3.12)
    string(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS ", python3 (<< ${Python_VERSION_MAJOR}.${next_minor})")
  endif()
  install(TARGETS ddla_python LIBRARY DESTINATION lib/python3/dist-packages/ddla
    COMPONENT python EXCLUDE_FROM_ALL)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/bindings/python/ddla DESTINATION lib/python3/dist-packages
    COMPONENT python EXCLUDE_FROM_ALL FILES_MATCHING PATTERN *.py PATTERN *.pyi PATTERN py.typed)
endif()

# Shared libraries say to ldconfig that they are there.
set(triggers ${PROJECT_BINARY_DIR}/packages/triggers)
file(WRITE ${triggers} "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${triggers})
set(CPACK_DEBIAN_C_LIBRARY_PACKAGE_CONTROL_EXTRA ${triggers})

# The licence in each; cmake/FinishPackages.cmake adds what depends on the time.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/FinishPackages.cmake)
include(CPack)
