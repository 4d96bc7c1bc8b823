# Part of check_package.cmake: scripts/build-wheel, which builds the wheel and runs the tests of
# Python on it in a fresh environment.  It links the installed library of this build, device code
# included: to compile that anew takes minutes.
if(NOT python)
  message("skipped: no wheel: the build has no Python module")
  return()
endif()
execute_process(COMMAND ${python} -m pip --disable-pip-version-check --retries 0 download --quiet
  --no-deps --dest ${work}/probe auditwheel RESULT_VARIABLE failed ERROR_VARIABLE why)
if(failed)
  message("skipped: no wheel: pip cannot install: ${why}")
  return()
endif()

file(REMOVE_RECURSE ${work}/wheels)
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
set(ENV{CMAKE_ARGS} "-DDDLA_CUDA=OFF -DDDLA_INSTALLED=${prefix} -Dddla_USE_STATIC_LIBS=ON")
set(ENV{SOURCE_DATE_EPOCH} 1700000000)
run(${source}/scripts/build-wheel ${work}/wheels ${python})
file(GLOB wheels RELATIVE ${work}/wheels ${work}/wheels/*)
if(NOT wheels MATCHES "^ddla-${version}-cp3[0-9]+-[^;]*manylinux[^;]*\\.whl$")
  message(FATAL_ERROR "not one wheel ddla-${version} for manylinux: ${wheels}")
endif()
# No file in it has a time of its own, which another build would not have.
run(${python} -c "import sys, zipfile
times = {f.date_time for f in zipfile.ZipFile(sys.argv[1]).infolist()}
assert times == {(2023, 11, 14, 22, 13, 20)}, times" ${work}/wheels/${wheels})
