# ddla_precompile(TARGET HEADER...): with DDLA_PRECOMPILED, what most units of the target read first is
# read once for all, which takes GCC a quarter less.  A unit still includes what it uses: other builds
# read nothing in advance.
function(ddla_precompile target)
  if(NOT DDLA_PRECOMPILED OR DDLA_COVERAGE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # The first is what ccache asks for.  GCC 12 takes a precompiled std::string for code of ours, and
  # warns of it without reason.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess -Wno-stringop-overflow>)
endfunction()
