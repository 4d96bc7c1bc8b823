# Configure the project with flags that it must refuse.
# Run as: cmake -DPROJECT=... -DCOMPILER=... -DWORK=... -P refuses_fast_math.cmake
foreach(flag -ffast-math -Ofast -funsafe-math-optimizations -ffp-contract=fast)
  file(REMOVE_RECURSE ${WORK})
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK} -DCMAKE_CXX_COMPILER=${COMPILER}
            -DCMAKE_CXX_FLAGS=${flag} -DDDLA_TESTS=OFF -DDDLA_TOOLS=OFF -DDDLA_CUDA=OFF
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  if(code EQUAL 0 OR NOT said MATCHES "it breaks double-double arithmetic")
    message(SEND_ERROR "configuring with ${flag}: expected a refusal, got code ${code}: ${said}")
  else()
    message(STATUS "${flag}: refused, as it should be")
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
