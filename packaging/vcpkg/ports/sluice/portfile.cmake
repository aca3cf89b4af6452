# An overlay port of the tree that it lies in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(
  OUT_FEATURE_OPTIONS feature_options
  FEATURES
    crc SLUICE_BUILD_CRC
    gzip SLUICE_BUILD_GZIP
    lz4 SLUICE_BUILD_LZ4
    sha256 SLUICE_BUILD_SHA256
    snappy SLUICE_BUILD_SNAPPY
    testing SLUICE_BUILD_TESTING
    tool SLUICE_BUILD_TOOL
    view SLUICE_BUILD_VIEW
    xxh3 SLUICE_BUILD_XXH3
    zstd SLUICE_BUILD_ZSTD
)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    ${feature_options}
    -DSLUICE_BUILD_TESTS=OFF
    -DSLUICE_BUILD_BENCH=OFF
    -DSLUICE_BUILD_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sluice)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
if("tool" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES sluice AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
