# ddla_unity(TARGET [ALONE REGEX]): with DDLA_UNITY, the sources of a folder are compiled as one unit,
# which takes a whole build a third less: what they include is read once, and what they instantiate is
# made once.  Alone stay sources that match REGEX, that have other options than their neighbours, or
# that have a folder of their own.  Other builds compile each source by itself: a source still includes
# what it uses, and names without linkage differ within a folder.
function(ddla_unity target)
  if(NOT DDLA_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 given "" "ALONE" "")
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder_of_target ${target} SOURCE_DIR)
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder_of_target} NORMALIZE)
    foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES SKIP_PRECOMPILE_HEADERS)
      get_source_file_property(${property} ${source} TARGET_DIRECTORY ${target} ${property})
      if(NOT ${property})
        set(${property} "")
      endif()
    endforeach()
    if(NOT source MATCHES "\\.(cpp|cu)$" OR (given_ALONE AND source MATCHES "${given_ALONE}")
        OR COMPILE_DEFINITIONS OR SKIP_PRECOMPILE_HEADERS)
      continue()
    endif()
    # Units of a pair of precisions (ddla_matrix_units) stay apart from those of another one.
    cmake_path(GET source PARENT_PATH folder)
    string(REGEX MATCH "(_dd_real|_double)*\\.(cpp|cu)$" end ${source})
    string(REGEX REPLACE "^(${DDLA_UNITS}|${PROJECT_SOURCE_DIR}/src|${PROJECT_SOURCE_DIR})/" "" folder
      ${folder})
    string(MAKE_C_IDENTIFIER "${folder}${end}" name)
    list(APPEND folders ${name})
    list(APPEND sources_of_${name} ${source})
    set(options_of_${name} ${COMPILE_OPTIONS})
    set(includes_of_${name} ${INCLUDE_DIRECTORIES})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(name IN LISTS folders)
    ddla_unit(${target} ${name} "${options_of_${name}}" "${includes_of_${name}}" ${sources_of_${name}})
  endforeach()
endfunction()

# Of the function above: one unit, unless it has one source.
function(ddla_unit target name options folders)
  list(LENGTH ARGN count)
  if(count LESS 2)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE includes)
  list(JOIN includes "\n" text)
  set(unit ${DDLA_UNITS}/unity/${target}/${name})
  string(REGEX REPLACE "_(cpp|cu)$" ".\\1" unit ${unit})
  file(CONFIGURE OUTPUT ${unit} CONTENT "// Made by CMake (cmake/DdlaUnity.cmake).\n${text}\n" @ONLY)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY HEADER_FILE_ONLY ON)
  target_sources(${target} PRIVATE ${unit})
  # To a unit its sources are headers, of which GCC asks for more; what is warned of without reason is
  # seen where each is compiled by itself.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow> $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>)
  endif()
  set_source_files_properties(${unit} TARGET_DIRECTORY ${target} PROPERTIES
    COMPILE_OPTIONS "${options}" INCLUDE_DIRECTORIES "${folders}")
endfunction()
