# SPDX-License-Identifier: BSL-1.0
#
# cpack: Debian packages. With BUILD_SHARED_LIBS there are three, as on Debian: the libraries
# (libsluice0.1), what one builds with (libsluice-dev), and the tool (sluice). A static build has no
# libraries to run with, so there it is two.
set(sluice_soversion "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME sluice)
set(CPACK_PACKAGE_VENDOR "the sluice authors")
set(CPACK_PACKAGE_CONTACT "the sluice authors <sluice@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL development)
if(BUILD_SHARED_LIBS)
  list(APPEND CPACK_COMPONENTS_ALL runtime)
endif()
if(SLUICE_BUILD_TOOL)
  list(APPEND CPACK_COMPONENTS_ALL tool)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Generic I/O copying and buffering: the shared libraries.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME "libsluice${sluice_soversion}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)

# What the headers and the CMake and pkg-config files of the components name.
get_property(sluice_development_needs GLOBAL PROPERTY sluice_development_packages)
list(REMOVE_DUPLICATES sluice_development_needs)
if(BUILD_SHARED_LIBS)
  list(PREPEND sluice_development_needs "libsluice${sluice_soversion} (= ${PROJECT_VERSION})")
endif()
list(JOIN sluice_development_needs ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Generic I/O copying and buffering: headers, CMake and pkg-config files.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsluice-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)

set(CPACK_COMPONENT_TOOL_DESCRIPTION "Generic I/O copying and buffering: the command-line tool.")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME sluice)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
if(BUILD_SHARED_LIBS)
  # For dpkg-shlibdeps, which reads the tool before the libraries are installed anywhere.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/src")
  set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "libsluice${sluice_soversion} (= ${PROJECT_VERSION})")
endif()

# Their licence, where Debian has it.
foreach(sluice_package IN ITEMS runtime development tool)
  string(TOUPPER ${sluice_package} sluice_name)
  install(
    FILES "${PROJECT_SOURCE_DIR}/LICENSE"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${sluice_name}_PACKAGE_NAME}"
    RENAME copyright
    COMPONENT ${sluice_package}
    EXCLUDE_FROM_ALL
  )
endforeach()
include(CPack)
