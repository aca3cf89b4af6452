# SPDX-License-Identifier: BSL-1.0
#
# Builds and runs project/ against sluice in the way named by WAY, see CMakeLists.txt.
cmake_policy(VERSION 3.25)

# Runs a command, ends the script with the command's output if it fails.
function(run)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message("${output}")
    message(FATAL_ERROR "${command}\nended with ${status}")
  endif()
endfunction()

set(build "${WORK}/${WAY}")
set(
  configure
  "${CMAKE_COMMAND}"
  -S "${SOURCE}"
  -B "${build}"
  -G "${GENERATOR}"
  "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}"
  "-DCMAKE_CXX_FLAGS=${FLAGS}"
  "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}"
  "-DBUILD_SHARED_LIBS=${SHARED}"
  "-DCONSUMER_VERSION=${VERSION}"
)
string(REPLACE "|" ";" LAUNCHER "${LAUNCHER}")
string(REPLACE "|" ";" components "${COMPONENTS}")
set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${LAUNCHER}")
file(REMOVE_RECURSE "${build}")

if(WAY STREQUAL "install")
  file(REMOVE_RECURSE "${PREFIX}")
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}")

elseif(WAY STREQUAL "find_package")
  run(${configure} "-DCONSUMER_WAY=find_package" "-DCMAKE_PREFIX_PATH=${PREFIX}")
  run("${CMAKE_COMMAND}" --build "${build}")
  run("${build}/consumer")

elseif(WAY STREQUAL "components")
  run(
    ${configure} "-DCONSUMER_WAY=find_package" "-DCONSUMER_COMPONENTS=${COMPONENTS}" "-DCMAKE_PREFIX_PATH=${PREFIX}"
  )
  run("${CMAKE_COMMAND}" --build "${build}")
  foreach(component IN LISTS components)
    run("${build}/${component}")
  endforeach()

elseif(WAY STREQUAL "unknown_component")
  execute_process(
    COMMAND
      ${configure} "-DCONSUMER_WAY=find_package" "-DCONSUMER_COMPONENTS=abacus" "-DCMAKE_PREFIX_PATH=${PREFIX}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(status EQUAL 0)
    message(FATAL_ERROR "A component that does not exist was found.")
  endif()
  if(NOT output MATCHES "no[ \n]+component[ \n]+\"abacus\"")
    message("${output}")
    message(FATAL_ERROR "The message above does not name the missing component.")
  endif()

elseif(WAY STREQUAL "add_subdirectory")
  run(${configure} "-DCONSUMER_WAY=add_subdirectory" "-DCONSUMER_SLUICE=${SLUICE}")
  run("${CMAKE_COMMAND}" --build "${build}")
  run("${build}/consumer")

elseif(WAY STREQUAL "fetch_content")
  run(
    ${configure}
    "-DCONSUMER_WAY=fetch_content"
    "-DCONSUMER_SLUICE=${SLUICE}"
    "-DCONSUMER_COMPONENTS=${COMPONENTS}"
    "-DSLUICE_BUILD_TESTING=ON"
  )
  run("${CMAKE_COMMAND}" --build "${build}")
  foreach(program IN ITEMS consumer LISTS components)
    run("${build}/${program}")
  endforeach()

elseif(WAY MATCHES "^pkg_config")
  find_program(PKG_CONFIG NAMES pkg-config pkgconf)
  if(NOT PKG_CONFIG)
    message(FATAL_ERROR "pkg-config is missing (Debian: apt-get install pkg-config)")
  endif()
  set(ENV{PKG_CONFIG_PATH} "${PREFIX}/${LIBDIR}/pkgconfig")
  set(ENV{LD_LIBRARY_PATH} "${PREFIX}/${LIBDIR}")
  separate_arguments(flags UNIX_COMMAND "${FLAGS} ${STANDARD}")
  file(MAKE_DIRECTORY "${build}")

  # A program and the name of the package that it needs, no more.
  function(build_and_run source package)
    foreach(what IN ITEMS cflags libs modversion)
      execute_process(
        COMMAND "${PKG_CONFIG}" --${what} ${package}
        OUTPUT_VARIABLE ${what}
        OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY
      )
    endforeach()
    if(NOT modversion STREQUAL VERSION)
      message(FATAL_ERROR "pkg-config tells version ${modversion} of ${package}, the project has ${VERSION}.")
    endif()
    separate_arguments(cflags UNIX_COMMAND "${cflags}")
    separate_arguments(libs UNIX_COMMAND "${libs}")
    set(object "${build}/${package}.o")
    run(${LAUNCHER} "${COMPILER}" ${flags} ${cflags} -c "${SOURCE}/${source}" -o "${object}")
    run("${COMPILER}" ${flags} "${object}" -o "${build}/${package}" ${libs})
    run("${build}/${package}")
  endfunction()

  if(WAY STREQUAL "pkg_config")
    build_and_run(main.cpp sluice)
  else()
    foreach(component IN LISTS components)
      build_and_run(components/${component}.cpp sluice-${component})
    endforeach()
  endif()

else()
  message(FATAL_ERROR "unknown way: ${WAY}")
endif()
