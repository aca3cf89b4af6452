# SPDX-License-Identifier: BSL-1.0
#
# A component is a part of sluice that a program asks for by name, because it needs a library of
# somebody else's or is not for everyday use:
#
#   find_package(sluice REQUIRED COMPONENTS crc)
#   target_link_libraries(app PRIVATE sluice::crc)
#
# sluice_component(<name> [SOURCES <file>...] [LINK <target>...] [PRIVATE_LINK <target>...]
#                  [MODULES <file>...] [FIND <line>...])
#
#   SOURCES       relative to src/; without any the component is headers only
#   LINK          what its headers need beside the core
#   PRIVATE_LINK  what only its sources need
#   MODULES       find modules in cmake/ that FIND uses, to be installed with the package
#   FIND          lines of CMake that the installed package runs to find all of those
#
# Its headers are listed with sluice_component_headers(<name> <file>...), relative to include/.
#
# sluice_component_option(<NAME> <what>) declares the option SLUICE_BUILD_<NAME>: ON, OFF or AUTO, which
# builds it where what it needs is found; the tests turn AUTO into ON.
# sluice_component_needs(<NAME> <package> DEBIAN <debian package> FOR <what>) finds what it needs, and
# sets SLUICE_HAS_<NAME> where it is to be built. The Debian package is one that libsluice-dev depends on.
function(sluice_component_option name what)
  set(SLUICE_BUILD_${name} AUTO CACHE STRING "Build ${what} (ON, OFF, or AUTO: where its dependency is found)")
  set_property(CACHE SLUICE_BUILD_${name} PROPERTY STRINGS AUTO ON OFF)
endfunction()

macro(sluice_component_needs name package)
  cmake_parse_arguments(sluice_needs "" "DEBIAN;FOR" "" ${ARGN})
  set(SLUICE_HAS_${name} FALSE)
  if("${SLUICE_BUILD_${name}}" STREQUAL "AUTO" AND NOT SLUICE_BUILD_TESTS)
    find_package(${package} QUIET)
    set(SLUICE_HAS_${name} ${${package}_FOUND})
    if(NOT SLUICE_HAS_${name} AND PROJECT_IS_TOP_LEVEL)
      message(STATUS "sluice: without ${sluice_needs_FOR}, as ${package} was not found (Debian: ${sluice_needs_DEBIAN})")
    endif()
  elseif(SLUICE_BUILD_${name})
    sluice_require(
      ${package} DEBIAN ${sluice_needs_DEBIAN} OPTION SLUICE_BUILD_${name} FOR "${sluice_needs_FOR}"
    )
    set(SLUICE_HAS_${name} TRUE)
  endif()
  if(SLUICE_HAS_${name})
    set_property(GLOBAL APPEND PROPERTY sluice_development_packages ${sluice_needs_DEBIAN})
  endif()
endmacro()

function(sluice_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK;PRIVATE_LINK;MODULES;FIND")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sluice_component(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target sluice_${name})
  if(arg_SOURCES)
    list(TRANSFORM arg_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/src/")
    add_library(${target} ${arg_SOURCES})
    sluice_configure_core(${target})
    target_link_libraries(${target} PUBLIC sluice ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
    set_target_properties(
      ${target}
      PROPERTIES
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        # A shared one finds the others beside it, wherever they are installed.
        INSTALL_RPATH "$ORIGIN"
    )
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE sluice ${arg_LINK})
  endif()
  add_library(sluice::${name} ALIAS ${target})
  set_target_properties(
    ${target}
    PROPERTIES
      EXPORT_NAME ${name}
      VERIFY_INTERFACE_HEADER_SETS ${PROJECT_IS_TOP_LEVEL}
  )

  set(package "${PROJECT_BINARY_DIR}/package/sluice-${name}.cmake")
  list(JOIN arg_FIND "\n" find)
  file(
    CONFIGURE
    OUTPUT "${package}"
    CONTENT "${find}\ninclude(\"\${CMAKE_CURRENT_LIST_DIR}/sluice-${name}-targets.cmake\")\n"
    @ONLY
  )
  set_property(GLOBAL APPEND PROPERTY sluice_components ${name})
  set_property(GLOBAL APPEND PROPERTY sluice_component_modules ${arg_MODULES})
endfunction()

function(sluice_component_headers name)
  if(NOT TARGET sluice_${name})
    return()
  endif()
  get_target_property(type sluice_${name} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_sources(
    sluice_${name}
    ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${ARGN}
  )
endfunction()
