# SPDX-License-Identifier: BSL-1.0
#
# sluice_require(<package> DEBIAN <debian package> OPTION <option> FOR <what>)
#
# find_package that ends configuring with one message naming the Debian package to install and the
# option that leaves out the part which needs it.
macro(sluice_require package)
  cmake_parse_arguments(sluice_require "" "DEBIAN;OPTION;FOR" "" ${ARGN})
  find_package(${package} QUIET)
  if(NOT ${package}_FOUND)
    message(
      FATAL_ERROR
      "sluice: ${sluice_require_FOR} need the package ${package}, which was not found.\n"
      "Install it (Debian: apt-get install ${sluice_require_DEBIAN}) "
      "or leave that part out with -D${sluice_require_OPTION}=OFF."
    )
  endif()
endmacro()
