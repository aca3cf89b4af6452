# SPDX-License-Identifier: BSL-1.0
#
# Uses ccache where there is one. A precompiled header is cached only with these settings; see
# "Precompiled headers" in ccache's manual.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  return()
endif()

find_program(SLUICE_CCACHE ccache DOC "Compiler cache, optional")
mark_as_advanced(SLUICE_CCACHE)
if(NOT SLUICE_CCACHE)
  return()
endif()

set(
  CMAKE_CXX_COMPILER_LAUNCHER
  "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
  "${SLUICE_CCACHE}"
)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()
