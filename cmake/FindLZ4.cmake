# SPDX-License-Identifier: BSL-1.0
#
# Finds LZ4, whose CMake package is not installed everywhere.
#
#   LZ4::lz4     the library
#   LZ4_FOUND, LZ4_VERSION
#
# Is installed with sluice, for the programs that link its static component lz4.
find_path(LZ4_INCLUDE_DIR lz4frame.h DOC "Folder of lz4frame.h")
find_library(LZ4_LIBRARY lz4 DOC "The library lz4")
mark_as_advanced(LZ4_INCLUDE_DIR LZ4_LIBRARY)

set(LZ4_VERSION "")
if(EXISTS "${LZ4_INCLUDE_DIR}/lz4.h")
  foreach(_lz4_part IN ITEMS MAJOR MINOR RELEASE)
    file(STRINGS "${LZ4_INCLUDE_DIR}/lz4.h" _lz4_line REGEX "^#define LZ4_VERSION_${_lz4_part} +[0-9]+" LIMIT_COUNT 1)
    string(REGEX REPLACE "^[^ ]+ +[^ ]+ +([0-9]+).*" "\\1" _lz4_line "${_lz4_line}")
    list(APPEND LZ4_VERSION ${_lz4_line})
  endforeach()
  list(JOIN LZ4_VERSION "." LZ4_VERSION)
  unset(_lz4_part)
  unset(_lz4_line)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LZ4 REQUIRED_VARS LZ4_LIBRARY LZ4_INCLUDE_DIR VERSION_VAR LZ4_VERSION)

if(LZ4_FOUND AND NOT TARGET LZ4::lz4)
  add_library(LZ4::lz4 UNKNOWN IMPORTED)
  set_target_properties(
    LZ4::lz4
    PROPERTIES
      IMPORTED_LOCATION "${LZ4_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${LZ4_INCLUDE_DIR}"
  )
endif()
