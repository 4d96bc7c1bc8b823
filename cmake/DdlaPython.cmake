# ddla for Python: built where Python has nanobind.  Python_ROOT_DIR names another Python, as in
# -DPython_ROOT_DIR=build/venv after `scripts/python-venv build/venv`.
set(DDLA_HAS_PYTHON OFF)
if(DDLA_PYTHON STREQUAL "OFF" OR (DDLA_PYTHON STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL))
  return()
endif()
if(NOT Python_ROOT_DIR AND NOT SKBUILD AND EXISTS ${PROJECT_BINARY_DIR}/venv)
  set(Python_ROOT_DIR ${PROJECT_BINARY_DIR}/venv)
endif()
set(Python_FIND_VIRTUALENV FIRST)
find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module)
set(found 1)
if(Python_FOUND)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import nanobind" RESULT_VARIABLE found
    OUTPUT_QUIET ERROR_QUIET)
endif()
if(found EQUAL 0 AND NOT DDLA_SANITIZE AND NOT DDLA_COVERAGE)
  set(DDLA_HAS_PYTHON ON)
  add_subdirectory(bindings/python)
elseif(DDLA_PYTHON STREQUAL "ON")
  message(FATAL_ERROR "DDLA_PYTHON=ON, but there is no Python 3.11 or later with nanobind, or this is a "
    "build with sanitizers: run scripts/python-venv and set Python_ROOT_DIR to its folder.")
endif()
