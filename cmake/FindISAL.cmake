# SPDX-License-Identifier: BSL-1.0
#
# Finds Intel's storage acceleration library, which has no CMake package of its own.
#
#   ISAL::ISAL      the library
#   ISAL_FOUND, ISAL_VERSION
#
# Is installed with sluice, for the programs that link its static component crc.
find_path(ISAL_INCLUDE_DIR isa-l.h DOC "Folder of isa-l.h")
find_library(ISAL_LIBRARY isal DOC "The library isal")
mark_as_advanced(ISAL_INCLUDE_DIR ISAL_LIBRARY)

set(ISAL_VERSION "")
if(EXISTS "${ISAL_INCLUDE_DIR}/isa-l.h")
  foreach(_isal_part IN ITEMS MAJOR MINOR PATCH)
    file(
      STRINGS "${ISAL_INCLUDE_DIR}/isa-l.h" _isal_line
      REGEX "^#define ISAL_${_isal_part}_VERSION +[0-9]+"
      LIMIT_COUNT 1
    )
    string(REGEX REPLACE ".* ([0-9]+).*" "\\1" _isal_line "${_isal_line}")
    list(APPEND ISAL_VERSION ${_isal_line})
  endforeach()
  list(JOIN ISAL_VERSION "." ISAL_VERSION)
  unset(_isal_part)
  unset(_isal_line)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ISAL REQUIRED_VARS ISAL_LIBRARY ISAL_INCLUDE_DIR VERSION_VAR ISAL_VERSION)

if(ISAL_FOUND AND NOT TARGET ISAL::ISAL)
  add_library(ISAL::ISAL UNKNOWN IMPORTED)
  set_target_properties(
    ISAL::ISAL
    PROPERTIES
      IMPORTED_LOCATION "${ISAL_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${ISAL_INCLUDE_DIR}"
  )
endif()
