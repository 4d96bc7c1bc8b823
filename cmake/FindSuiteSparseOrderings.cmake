# SuiteSparse::AMD and SuiteSparse::COLAMD, which order the columns of sparse factorisations.
# Installed with ddla: a static libddla needs them.
find_path(SuiteSparse_INCLUDE_DIR colamd.h PATH_SUFFIXES suitesparse)
find_library(SuiteSparse_CONFIG_LIBRARY suitesparseconfig)
find_library(SuiteSparse_AMD_LIBRARY amd)
find_library(SuiteSparse_COLAMD_LIBRARY colamd)
mark_as_advanced(SuiteSparse_INCLUDE_DIR SuiteSparse_CONFIG_LIBRARY SuiteSparse_AMD_LIBRARY
  SuiteSparse_COLAMD_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparseOrderings
  REQUIRED_VARS SuiteSparse_AMD_LIBRARY SuiteSparse_COLAMD_LIBRARY SuiteSparse_CONFIG_LIBRARY
    SuiteSparse_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "AMD and COLAMD of SuiteSparse order sparse factorisations: install libsuitesparse-dev")

if(SuiteSparseOrderings_FOUND)
  foreach(part AMD COLAMD)
    if(NOT TARGET SuiteSparse::${part})
      add_library(SuiteSparse::${part} UNKNOWN IMPORTED)
      set_target_properties(SuiteSparse::${part} PROPERTIES
        IMPORTED_LOCATION "${SuiteSparse_${part}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${SuiteSparse_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${SuiteSparse_CONFIG_LIBRARY}")
    endif()
  endforeach()
endif()
