# Compile self_test.cpp with flags that keep the arithmetic, whatever they contract, and with flags
# that break it: these must not compile, or the program must say so.
# Run as: cmake -DCOMPILER=... -DGCC=TRUE|FALSE -DSOURCE=... -DINCLUDE=... -DWORK=... -DHAS_FMA=...
#               -P broken_flags.cmake
file(MAKE_DIRECTORY ${WORK})


# compile(flags...): sets `compiled` and `error`.
macro(compile)
  string(JOIN " " name ${ARGN})
  execute_process(
    COMMAND ${COMPILER} -std=c++20 ${ARGN} -I${INCLUDE} ${SOURCE} -o ${WORK}/self_test
    RESULT_VARIABLE compiled OUTPUT_QUIET ERROR_VARIABLE error)
endmacro()

# refused(WORDS flags...): compilation ends with these words.
function(refused words)
  compile(${ARGN})
  if(compiled EQUAL 0 OR NOT error MATCHES "ddla: [^\n]*${words}")
    message(SEND_ERROR "${name}: expected a refusal with \"${words}\", got ${compiled}: ${error}")
  else()
    message(STATUS "${name}: does not compile, as it should be")
  endif()
endfunction()

# expect(EXACT|BROKEN flags...): what the program says.
function(expect outcome)
  compile(${ARGN})
  if(NOT compiled EQUAL 0)
    message(SEND_ERROR "cannot compile with ${name}: ${error}")
    return()
  endif()
  execute_process(COMMAND ${WORK}/self_test RESULT_VARIABLE code OUTPUT_VARIABLE said)
  string(STRIP "${said}" said)
  if(outcome STREQUAL "EXACT" AND code EQUAL 0)
    message(STATUS "${name}: exact, as it should be")
  elseif(outcome STREQUAL "BROKEN" AND code EQUAL 1 AND said MATCHES "broke ddla's arithmetic")
    message(STATUS "${name}: refused, as it should be: ${said}")
  else()
    message(SEND_ERROR "${name}: expected ${outcome}, got exit code ${code}: ${said}")
  endif()
endfunction()

expect(EXACT -O0)
expect(EXACT -O2)
expect(EXACT -O3 -march=native)
expect(EXACT -O3 -march=native -ffp-contract=fast)
expect(EXACT -O3 -ffp-contract=off -DDDLA_CONTRACTION_OFF)
refused("fast math" -O2 -ffast-math)
refused("fast math" -O3 -ffast-math -ffp-contract=off)
refused("fast math" -Ofast)
refused("-ffinite-math-only" -O2 -ffinite-math-only)
if(NOT GCC)  # clang 14 has no macros of these; alone, -fassociative-math changes nothing
  foreach(optimised "-O2" "-O3;-march=native")
    expect(BROKEN ${optimised} -funsafe-math-optimizations)
    expect(BROKEN ${optimised} -fassociative-math -fno-signed-zeros -fno-trapping-math)
    expect(BROKEN ${optimised} -freciprocal-math)
    expect(BROKEN ${optimised} -fno-signed-zeros)
  endforeach()
endif()
if(GCC)
  refused("-fassociative-math" -O2 -fassociative-math -fno-signed-zeros -fno-trapping-math)
  refused("-fassociative-math" -O2 -funsafe-math-optimizations)
  refused("-freciprocal-math" -O2 -freciprocal-math)
  refused("-fno-signed-zeros" -O2 -fno-signed-zeros)
  if(HAS_FMA)  # which is of x86
    refused("FLT_EVAL_METHOD" -O2 -mfpmath=387)
  endif()
endif()
if(HAS_FMA)  # the machine that runs this test can execute what is compiled
  expect(EXACT -O2 -mfma)
  expect(EXACT -O3 -mfma -mavx2 -ffp-contract=fast)
  expect(EXACT -O3 -mfma -mavx2 -ffp-contract=off -DDDLA_CONTRACTION_OFF)
  # Whoever says that contraction is off, and has it on, is told.
  expect(BROKEN -O3 -mfma -mavx2 -ffp-contract=fast -DDDLA_CONTRACTION_OFF)
endif()

# What is linked with -ffast-math flushes subnormals in the whole process, and no macro says so.
if(GCC)
  execute_process(COMMAND ${COMPILER} -std=c++20 -O2 -I${INCLUDE} -c ${SOURCE} -o ${WORK}/self_test.o
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${COMPILER} -ffast-math ${WORK}/self_test.o -o ${WORK}/self_test
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${WORK}/self_test RESULT_VARIABLE code OUTPUT_VARIABLE said)
  if(NOT said MATCHES "subnormal numbers are flushed")
    message(SEND_ERROR "linked with -ffast-math: got exit code ${code}: ${said}")
  endif()
endif()
