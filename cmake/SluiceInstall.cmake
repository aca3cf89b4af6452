# SPDX-License-Identifier: BSL-1.0
#
# Installs the core and the components: libraries, headers and CMake package; and a pkg-config file
# for the core.
include(CMakePackageConfigHelpers)

set(sluice_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sluice")

install(
  TARGETS sluice
  EXPORT sluiceTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
  LIBRARY
    DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT runtime
    NAMELINK_COMPONENT development
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
)
install(
  EXPORT sluiceTargets
  NAMESPACE sluice::
  DESTINATION "${sluice_cmake_dir}"
  COMPONENT development
)

get_property(sluice_components GLOBAL PROPERTY sluice_components)
foreach(sluice_component IN LISTS sluice_components)
  install(
    TARGETS sluice_${sluice_component}
    EXPORT sluice-${sluice_component}-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    LIBRARY
      DESTINATION "${CMAKE_INSTALL_LIBDIR}"
      COMPONENT runtime
      NAMELINK_COMPONENT development
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
  )
  install(
    EXPORT sluice-${sluice_component}-targets
    NAMESPACE sluice::
    DESTINATION "${sluice_cmake_dir}"
    COMPONENT development
  )
  install(
    FILES "${PROJECT_BINARY_DIR}/package/sluice-${sluice_component}.cmake"
    DESTINATION "${sluice_cmake_dir}"
    COMPONENT development
  )
endforeach()

get_property(sluice_modules GLOBAL PROPERTY sluice_component_modules)
list(TRANSFORM sluice_modules PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
install(FILES ${sluice_modules} DESTINATION "${sluice_cmake_dir}" COMPONENT development)

configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/sluiceConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/sluiceConfig.cmake"
  INSTALL_DESTINATION "${sluice_cmake_dir}"
)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/package/sluiceConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion
)
install(
  FILES
    "${PROJECT_BINARY_DIR}/package/sluiceConfig.cmake"
    "${PROJECT_BINARY_DIR}/package/sluiceConfigVersion.cmake"
  DESTINATION "${sluice_cmake_dir}"
  COMPONENT development
)

# pkg-config: relative to the file itself where the folders allow it, so that an installed tree can
# be moved or installed elsewhere with --prefix.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(SLUICE_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
  set(SLUICE_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
  file(RELATIVE_PATH sluice_pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" sluice_pc_up "${sluice_pc_up}")
  set(SLUICE_PC_PREFIX "\${pcfiledir}/${sluice_pc_up}")
  set(SLUICE_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(SLUICE_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(SLUICE_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/sluice.pc.in" "${PROJECT_BINARY_DIR}/package/sluice.pc" @ONLY)
install(
  FILES "${PROJECT_BINARY_DIR}/package/sluice.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development
)
