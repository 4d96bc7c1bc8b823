# Uses ddla from another project in the given `way`, and checks what arrives there.
cmake_minimum_required(VERSION 3.25)
set(work ${build}/tests/package/${way})
set(prefix ${work}/prefix)
set(consumer ${source}/tests/package/consumer)
set(examples ${source}/examples)
set(matrix ${examples}/494_bus.mtx)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# run_example(WANTED PROGRAM [ARGUMENT]): what it says must match.
function(run_example wanted)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT OUTPUT_VARIABLE output
    ECHO_OUTPUT_VARIABLE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "${wanted}")
    message(FATAL_ERROR "the example said: ${output}")
  endif()
endfunction()

# To solve the system to 1e-20 takes the whole chain in double-double.
set(solved "^converged after [0-9]+ iterations, true residual [0-9.]+e-2[0-9]")
# What the shared C library computes, in a program without C++.
set(stepped "mass 1\\.5288327872737924958967958843914e\\+02, changed by 0e\\+00 of it\n$")
# The same digits on the host and on a device.
set(threaded "^(converged, [0-9.]+ digits\n)+$")
set(streamed "^\\|\\|y\\|\\| = 7090\\.52924246643276885974130296117 at (host|device 0)\n$")

function(build_consumer)
  run(${CMAKE_COMMAND} -S ${consumer} -B ${work}/build -G ${generator}
    -D CMAKE_CXX_COMPILER=${compiler} -D EXAMPLES=${examples} ${ARGN})
  run(${CMAKE_COMMAND} --build ${work}/build)
  file(READ ${work}/build/compile_commands.json commands)
  foreach(file solve stream threads arithmetic)
    if(NOT commands MATCHES "-ffp-contract=off[^\n]*${file}\\.cpp")
      message(FATAL_ERROR "-ffp-contract=off did not arrive where ${file}.cpp is compiled")
    endif()
  endforeach()
  run(${work}/build/arithmetic)
  run_example("${solved}" ${work}/build/solve ${matrix})
  run_example("${streamed}" ${work}/build/stream)
  run_example("${threaded}" ${work}/build/threads)
  # Flags that break the arithmetic end compilation, whoever passes them.
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${consumer} -B ${work}/refused -G ${generator}
    -D CMAKE_CXX_COMPILER=${compiler} -D EXAMPLES=${examples} -D BREAK=-ffast-math ${ARGN}
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/refused --target arithmetic
    RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(code EQUAL 0 OR NOT said MATCHES "ddla: fast math")
    message(FATAL_ERROR "compiling with -ffast-math: expected a refusal, got code ${code}: ${said}")
  endif()
endfunction()

function(build_consumer_c where)
  run(${CMAKE_COMMAND} -S ${source}/tests/package/consumer_c -B ${work}/build_c -G ${generator}
    -D EXAMPLES=${examples} -D CMAKE_PREFIX_PATH=${where})
  run(${CMAKE_COMMAND} --build ${work}/build_c)
  run_example("${solved}" ${work}/build_c/solve ${matrix})
  run_example("${stepped}" ${work}/build_c/convection)
endfunction()

file(REMOVE_RECURSE ${prefix} ${work}/moved)
if(way STREQUAL "add_subdirectory")
  # The whole library again: with the flags of the first build ccache has all objects, without ccache
  # a debug build takes least.
  set(type Debug)
  if("$ENV{CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "ccache$")
    set(type Release)
  endif()
  build_consumer(-D DDLA_SOURCE=${source} -D BUILD_SHARED_LIBS=ON -D CMAKE_BUILD_TYPE=${type}
    -D DDLA_CUDA=OFF -D DDLA_UNITS=${build}/ddla_units)

elseif(way STREQUAL "find_package")
  # Moved after installation: nothing in the package may hold on to the first place.
  run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
  file(RENAME ${prefix} ${work}/moved)
  build_consumer(-D CMAKE_PREFIX_PATH=${work}/moved)
  build_consumer(-D CMAKE_PREFIX_PATH=${work}/moved -D ddla_USE_STATIC_LIBS=ON)
  foreach(file share/bash-completion/completions/ddla share/zsh/site-functions/_ddla
      share/man/man1/ddla.1)
    if(NOT EXISTS ${work}/moved/${file})
      message(FATAL_ERROR "${file} is not installed")
    endif()
  endforeach()
  run(${work}/moved/bin/ddla --version)
  build_consumer_c(${work}/moved)
  # Another minor version is another interface.
  file(WRITE ${work}/later/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\n"
    "project(later LANGUAGES CXX)\nfind_package(ddla 0.2 CONFIG)\n"
    "if(ddla_FOUND)\nmessage(FATAL_ERROR \"0.2 was found\")\nendif()\n")
  run(${CMAKE_COMMAND} -S ${work}/later -B ${work}/later/build -G ${generator}
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${work}/moved)

elseif(way STREQUAL "find_package_shared")
  run(${CMAKE_COMMAND} --install ${build}/tests/package/add_subdirectory/build --prefix ${prefix})
  build_consumer(-D CMAKE_PREFIX_PATH=${prefix})

elseif(way STREQUAL "deb")
  include(${source}/tests/package/check_deb.cmake)

elseif(way STREQUAL "wheel")
  include(${source}/tests/package/check_wheel.cmake)

elseif(way STREQUAL "pkg_config")
  find_program(pkg_config NAMES pkg-config pkgconf)
  if(NOT pkg_config)
    message("skipped: pkg-config is not installed")
    return()
  endif()
  run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
  file(GLOB_RECURSE pc ${prefix}/ddla.pc)
  cmake_path(GET pc PARENT_PATH pc_dir)
  set(ENV{PKG_CONFIG_PATH} ${pc_dir})
  execute_process(COMMAND ${pkg_config} --cflags --libs ddla OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${pkg_config} --modversion ddla OUTPUT_VARIABLE found
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  # nvcc takes them as well: no option of one compiler alone.
  if(flags MATCHES "-f" OR NOT found STREQUAL version)
    message(FATAL_ERROR "pkg-config says \"${flags}\", version ${found}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${flags}")
  find_program(nvcc nvcc)
  if(nvcc)
    run(${nvcc} -std=c++20 -ccbin ${compiler} ${examples}/solve.cpp ${flags} -o ${work}/solve_nvcc)
  endif()
  run(${compiler} -std=c++20 ${examples}/solve.cpp ${flags} -o ${work}/solve)
  set(ENV{LD_LIBRARY_PATH} ${pc_dir}/..)
  run_example("${solved}" ${work}/solve ${matrix})
  execute_process(COMMAND ${pkg_config} --cflags --libs ddla_c OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(cc -std=c11 ${examples}/solve.c ${flags} -o ${work}/solve_c)
  run_example("${solved}" ${work}/solve_c ${matrix})
  find_program(gfortran gfortran)
  if(NOT gfortran)
    message("gfortran is not installed: the module was not compiled where it is installed")
    return()
  endif()
  execute_process(COMMAND ${pkg_config} --variable=prefix ddla_c OUTPUT_VARIABLE module
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND module /share/ddla/fortran)
  run(${gfortran} -ffp-contract=off -J ${work} -I ${module} ${module}/ddla.f90 ${examples}/beam.f90
    ${flags} -o ${work}/beam)
  run_example("u\\(1\\) = 8\\.0012.*digits: 31" ${work}/beam)

elseif(way STREQUAL "readme")
  # The pages show the examples that the tests build.
  foreach(shown "docs/building.md:solve.cpp" "docs/gpu.md:stream.cpp" "docs/threads.md:threads.cpp" "docs/ranks.md:ranks.cpp" "docs/c.md:solve.c")
    string(REPLACE ":" ";" shown ${shown})
    list(GET shown 0 page)
    list(GET shown 1 example)
    file(READ ${source}/${page} page_text)
    file(READ ${examples}/${example} text)
    string(FIND "${page_text}" "${text}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "${page} does not show examples/${example} as it is")
    endif()
  endforeach()
  # Its few lines for each language are lines of what the tests run.
  file(READ ${source}/README.md page_text)
  foreach(shown "cpp:examples/solve.cpp" "c:examples/convection.c" "fortran:examples/beam.f90"
      "python:docs/python.md")
    string(REPLACE ":" ";" shown ${shown})
    list(GET shown 0 language)
    list(GET shown 1 example)
    file(READ ${source}/${example} text)
    if(NOT page_text MATCHES "```${language}\n([^`]*)```")
      message(FATAL_ERROR "README.md has no lines in ${language}")
    endif()
    string(REPLACE ";" "," lines "${CMAKE_MATCH_1}")  # a list breaks at line ends alone
    string(REPLACE ";" "," text "${text}")
    string(REGEX REPLACE "\n$" "" lines "${lines}")
    string(REPLACE "\n" ";" lines "${lines}")
    foreach(line IN LISTS lines)
      string(FIND "${text}" "${line}" place)
      if(place EQUAL -1)
        message(FATAL_ERROR "README.md has a line that is not in ${example}: ${line}")
      endif()
    endforeach()
  endforeach()

else()
  message(FATAL_ERROR "no such way: ${way}")
endif()
