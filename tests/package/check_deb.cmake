# Part of check_package.cmake: packs the build twice, compares the bytes, unpacks the packages into
# an empty root, and uses ddla from there.
find_program(dpkg_deb dpkg-deb)
find_program(dpkg_shlibdeps dpkg-shlibdeps)
find_program(dpkg dpkg)
find_program(file file)
if(NOT dpkg_deb OR NOT dpkg_shlibdeps OR NOT file OR NOT dpkg)
  message("skipped: dpkg-deb, dpkg-shlibdeps or file is not installed")
  return()
endif()

file(REMOVE_RECURSE ${work})
set(ENV{SOURCE_DATE_EPOCH} 1700000000)
foreach(pass first second)
  run(cpack --config ${build}/CPackConfig.cmake -B ${work}/${pass}
    -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip)  # xz takes minutes
  file(REMOVE_RECURSE ${work}/${pass}/_CPack_Packages)
  file(TOUCH ${build}/completions/ddla)  # as a second build does
endforeach()
file(GLOB packages RELATIVE ${work}/first ${work}/first/*.deb)
string(REGEX REPLACE "([0-9]+\\.[0-9]+)\\..*" "\\1" abi ${version})
set(names libddla${abi}_ libddla-c${abi}_ libddla-dev_ ddla_)
if(python)
  list(APPEND names python3-ddla_)
endif()
foreach(name IN LISTS names)
  if(NOT packages MATCHES "(^|;)${name}${version}_[a-z0-9]+\\.deb")
    message(FATAL_ERROR "no package ${name}${version}: ${packages}")
  endif()
endforeach()
foreach(package IN LISTS packages)
  file(SHA256 ${work}/first/${package} first)
  file(SHA256 ${work}/second/${package} second)
  if(NOT first STREQUAL second)
    message(FATAL_ERROR "${package} has other bytes when it is packed again")
  endif()
endforeach()

# dpkg in a root of its own: what it needs of the system is outside, so dependencies are not its to
# check; all else is.
set(root ${work}/root)
file(MAKE_DIRECTORY ${root}/var/lib/dpkg/info ${root}/var/lib/dpkg/updates
  ${root}/var/lib/dpkg/triggers)
file(TOUCH ${root}/var/lib/dpkg/status ${root}/var/lib/dpkg/available)
list(TRANSFORM packages PREPEND ${work}/first/)
run(${dpkg} --root=${root} --log=${work}/dpkg.log --force-not-root --force-depends --force-script-chrootless
  --force-bad-path --no-triggers --unpack ${packages})

file(GLOB_RECURSE soname ${root}/usr/libddla.so.${abi})
file(GLOB_RECURSE config ${root}/usr/ddla-config.cmake)
file(GLOB_RECURSE pc ${root}/usr/ddla.pc)
if(NOT soname OR NOT config OR NOT pc)
  message(FATAL_ERROR "libddla.so.${abi}, ddla-config.cmake or ddla.pc was not unpacked")
endif()
foreach(path bin/ddla share/man/man1/ddla.1 share/bash-completion/completions/ddla
    include/ddla.h include/ddla/ddla.hpp share/ddla/fortran/ddla.f90
    share/doc/libddla-dev/copyright)
  if(NOT EXISTS ${root}/usr/${path} AND NOT EXISTS ${root}/usr/${path}.gz)
    message(FATAL_ERROR "/usr/${path} was not unpacked")
  endif()
endforeach()
cmake_path(GET soname PARENT_PATH lib)
foreach(file libddla.a libddla.so libddla_c.a libddla_c.so libddla_c.so.${abi})
  if(NOT EXISTS ${lib}/${file})
    message(FATAL_ERROR "${file} is not beside libddla.so.${abi}")
  endif()
endforeach()

build_consumer(-D ddla_ROOT=${root}/usr)
build_consumer_c(${root}/usr)
set(ENV{LD_LIBRARY_PATH} ${lib})
run(${root}/usr/bin/ddla solve ${matrix})

# The interpreter that the extension was built with.
if(python)
  unset(ENV{LD_LIBRARY_PATH})
  set(ENV{PYTHONPATH} ${root}/usr/lib/python3/dist-packages)
  run(${python} -c "import ddla, numpy, scipy.sparse as sp
assert ddla.__file__.startswith('${root}'), ddla.__file__
result = ddla.solve(sp.csr_matrix(2 * numpy.eye(3)), numpy.ones(3))
assert result.converged and float(result.x[0]) == 0.5")
endif()
