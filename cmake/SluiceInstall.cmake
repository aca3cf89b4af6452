# SPDX-License-Identifier: BSL-1.0
#
# Installs the core and the components: libraries, headers, the CMake package, and a pkg-config file each.
include(CMakePackageConfigHelpers)
include(SluicePkgConfig)

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
sluice_pkgconfig(sluice sluice "${PROJECT_DESCRIPTION}")

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
  sluice_pkgconfig(
    sluice_${sluice_component}
    sluice-${sluice_component}
    "${PROJECT_DESCRIPTION}: the component ${sluice_component}"
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
