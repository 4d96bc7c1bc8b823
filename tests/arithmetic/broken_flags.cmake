# Compile self_test.cpp with flags that keep and flags that break the arithmetic, and expect it to
# say so.  Run as: cmake -DCOMPILER=... -DSOURCE=... -DINCLUDE=... -DWORK=... -P broken_flags.cmake
file(MAKE_DIRECTORY ${WORK})


# expect(EXACT|BROKEN flags...)
function(expect outcome)
  string(JOIN " " name ${ARGN})
  execute_process(
    COMMAND ${COMPILER} -std=c++20 ${ARGN} -I${INCLUDE} ${SOURCE} -o ${WORK}/self_test
    RESULT_VARIABLE compiled OUTPUT_QUIET ERROR_VARIABLE error)
  if(NOT compiled EQUAL 0)
    message(FATAL_ERROR "cannot compile with ${name}: ${error}")
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
expect(EXACT -O3 -ffp-contract=off)
expect(BROKEN -O2 -ffast-math)
expect(BROKEN -O3 -ffast-math -ffp-contract=off)
if(HAS_FMA)  # the machine that runs this test can execute what is compiled
  expect(EXACT -O3 -mfma -mavx2 -ffp-contract=off)
  expect(BROKEN -O2 -mfma -ffp-contract=fast)
  expect(BROKEN -O3 -march=native -ffp-contract=fast)
endif()
