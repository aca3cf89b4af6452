# SPDX-License-Identifier: BSL-1.0
#
# Finds Apache Thrift's C++ library, which only the tests and benchmarks use, as the other side.
#
#   Thrift::Thrift  the library
#   Thrift_FOUND
find_path(Thrift_INCLUDE_DIR thrift/protocol/TBinaryProtocol.h DOC "Folder of thrift/protocol/TBinaryProtocol.h")
find_library(Thrift_LIBRARY thrift DOC "The library thrift")
mark_as_advanced(Thrift_INCLUDE_DIR Thrift_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Thrift REQUIRED_VARS Thrift_LIBRARY Thrift_INCLUDE_DIR)

if(Thrift_FOUND AND NOT TARGET Thrift::Thrift)
  add_library(Thrift::Thrift UNKNOWN IMPORTED)
  set_target_properties(
    Thrift::Thrift
    PROPERTIES
      IMPORTED_LOCATION "${Thrift_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${Thrift_INCLUDE_DIR}"
  )
endif()
