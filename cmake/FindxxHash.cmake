# SPDX-License-Identifier: BSL-1.0
#
# Finds xxHash's header, which holds the whole of it; nothing is linked.
#
#   xxHash::xxHash  the header
#   xxHash_FOUND, xxHash_VERSION
find_path(xxHash_INCLUDE_DIR xxhash.h DOC "Folder of xxhash.h")
mark_as_advanced(xxHash_INCLUDE_DIR)

set(xxHash_VERSION "")
if(EXISTS "${xxHash_INCLUDE_DIR}/xxhash.h")
  foreach(_xxhash_part IN ITEMS MAJOR MINOR RELEASE)
    file(
      STRINGS "${xxHash_INCLUDE_DIR}/xxhash.h" _xxhash_line
      REGEX "^#define XXH_VERSION_${_xxhash_part} +[0-9]+"
      LIMIT_COUNT 1
    )
    string(REGEX REPLACE ".* ([0-9]+).*" "\\1" _xxhash_line "${_xxhash_line}")
    list(APPEND xxHash_VERSION ${_xxhash_line})
  endforeach()
  list(JOIN xxHash_VERSION "." xxHash_VERSION)
  unset(_xxhash_part)
  unset(_xxhash_line)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxHash REQUIRED_VARS xxHash_INCLUDE_DIR VERSION_VAR xxHash_VERSION)

if(xxHash_FOUND AND NOT TARGET xxHash::xxHash)
  add_library(xxHash::xxHash INTERFACE IMPORTED)
  set_target_properties(xxHash::xxHash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${xxHash_INCLUDE_DIR}")
endif()
