# What cpack does before it writes packages: Debian's changelog, compressed manual pages, and one
# time for all files, SOURCE_DATE_EPOCH, so that two builds pack the same bytes.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH, if it is set
file(GLOB docs ${root}/*/usr/share/doc/*)
foreach(doc IN LISTS docs)
  file(WRITE ${doc}/changelog "ddla (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * Built from the sources of version ${CPACK_PACKAGE_VERSION}; CHANGELOG.md has what is new.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
endforeach()
file(GLOB to_compress ${root}/*/usr/share/man/man1/*.1 ${root}/*/usr/share/doc/*/changelog)
if(to_compress)
  execute_process(COMMAND gzip -9nf ${to_compress} COMMAND_ERROR_IS_FATAL ANY)
endif()
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND find ${root} -exec touch --no-dereference
    --date=@$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
endif()
