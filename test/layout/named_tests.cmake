# SPDX-License-Identifier: BSL-1.0
#
# Holds documents to the tests that they name: each has to be in the sources, in the file that is named behind it, be it
# as `copy_flush.at_the_end_only_where_asked` (copy/flush_test.cpp), relative to test/, or as a link,
# [`copy_flush.at_the_end_only_where_asked`](../test/copy/flush_test.cpp).
#
# cmake -D ROOT=<repository> -D "DOCUMENTS=<path in it>[;<path>...]" -P named_tests.cmake
cmake_minimum_required(VERSION 3.25)

set(name "[A-Za-z_][A-Za-z0-9_]*")

file(GLOB_RECURSE sources RELATIVE "${ROOT}/test" "${ROOT}/test/*.cpp")
foreach(source IN LISTS sources)
  file(READ "${ROOT}/test/${source}" text)
  string(REGEX MATCHALL "TEST(_F|_P)?\\([ \n]*${name},[ \n]*${name}" tests "${text}")
  foreach(test IN LISTS tests)
    string(REGEX REPLACE "TEST(_F|_P)?\\([ \n]*(${name}),[ \n]*(${name})" "\\2.\\3" test "${test}")
    set("known_${test}" TRUE)
    set("known_${test}_in_${source}" TRUE)
  endforeach()
endforeach()

set(failures 0)
foreach(document IN LISTS DOCUMENTS)
  file(READ "${ROOT}/${document}" text)
  string(REPLACE "](../test/" " (" text "${text}")
  string(REGEX MATCHALL "`${name}\\.${name}` \\([A-Za-z0-9_./]+\\)" mentions "${text}")
  set(count 0)
  foreach(mention IN LISTS mentions)
    string(REGEX MATCH "^`([^`]+)` \\(([^)]+)\\)$" matched "${mention}")
    set(test "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    math(EXPR count "${count} + 1")
    if(NOT known_${test})
      message("${document}: there is no test ${test}")
      math(EXPR failures "${failures} + 1")
    elseif(NOT known_${test}_in_${file})
      message("${document}: ${test} is not in test/${file}")
      math(EXPR failures "${failures} + 1")
    endif()
  endforeach()
  if(count EQUAL 0)
    message("${document}: names no test at all")
    math(EXPR failures "${failures} + 1")
  else()
    message("${document}: names ${count} tests")
  endif()
endforeach()

if(failures GREATER 0)
  message(FATAL_ERROR "${failures} test(s) are named that do not exist")
endif()
