# Language, warnings, and the arithmetic that every bit rests on.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Reassociation turns an error-free transform into zero: refuse, here and in every target.
foreach(flags CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_RELEASE CMAKE_CXX_FLAGS_RELWITHDEBINFO
        CMAKE_CXX_FLAGS_DEBUG CMAKE_CXX_FLAGS_MINSIZEREL CMAKE_CUDA_FLAGS CMAKE_CUDA_FLAGS_RELEASE)
  if("${${flags}}" MATCHES "-ffast-math|-Ofast|-funsafe-math-optimizations|-fassociative-math|-ffinite-math-only|-use_fast_math|--use_fast_math|-ffp-contract=fast|-f?fp-model[ =]fast")
    message(FATAL_ERROR
      "${flags} holds \"${CMAKE_MATCH_0}\": it breaks double-double arithmetic. Remove it.")
  endif()
endforeach()

# Whoever compiles ddla's headers inherits the flags that keep them exact.
add_library(ddla_arithmetic INTERFACE)
add_library(ddla::arithmetic ALIAS ddla_arithmetic)
set_target_properties(ddla_arithmetic PROPERTIES EXPORT_NAME arithmetic)
target_compile_features(ddla_arithmetic INTERFACE cxx_std_20)
target_compile_options(ddla_arithmetic INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false -Xcompiler=-ffp-contract=off>)
# Loops over dd_real are vectorised only where the headers are told of it (eft.hpp).
target_compile_definitions(ddla_arithmetic INTERFACE
  $<$<COMPILE_LANGUAGE:CXX,CUDA>:DDLA_CONTRACTION_OFF>)
target_include_directories(ddla_arithmetic INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:include>)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.hpp.in
  ${PROJECT_BINARY_DIR}/include/ddla/version.hpp @ONLY)

# What ddla's own code is built with, on top.
add_library(ddla_warnings INTERFACE)
target_compile_options(ddla_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wno-unknown-pragmas>
  # GCC 12 warns of overlapping copies in its own std::string.
  $<$<CXX_COMPILER_ID:GNU>:$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>>)

if(DDLA_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${DDLA_SANITIZE}>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer> -g1)
  # What an address sanitizer stops at the access itself needs no second check of each pointer: these
  # checks take the compiler a tenth to four tenths of its time.  Whether each is aligned matters where
  # pointers are cast; elsewhere (DDLA_NO_POINTER_CASTS) that check takes a quarter for nothing.
  if(DDLA_SANITIZE MATCHES "address" AND DDLA_SANITIZE MATCHES "undefined")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,object-size,pointer-overflow>)
    set(DDLA_NO_POINTER_CASTS $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=alignment>)
    set(DDLA_OF_TEXT $<$<COMPILE_LANGUAGE:CXX>:-O0>)  # what only reads options and writes text
  endif()
  add_link_options(-fsanitize=${DDLA_SANITIZE})
endif()
if(DDLA_COVERAGE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--coverage>)
  add_link_options(--coverage)
endif()
