# SPDX-License-Identifier: BSL-1.0
#
# Warnings for everything in this project. Set on the directory, not on the library's target, so
# that the header verification gets them too and nobody who uses the library does.
add_compile_options(
  -Wall
  -Wextra
  -Wpedantic
  -Wcast-align
  -Wcast-qual
  -Wconversion
  -Wdouble-promotion
  -Wextra-semi
  -Wformat=2
  -Wimplicit-fallthrough
  -Wnon-virtual-dtor
  -Wold-style-cast
  -Woverloaded-virtual
  -Wsign-conversion
  -Wundef
  -Wunused
)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(
    -Wduplicated-cond
    -Wlogical-op
    -Wredundant-tags
    # Not the full -Wshadow: g++ 12 takes an enumerator of an enum class for a shadow of a global.
    -Wshadow=local
    -Wsuggest-override
  )
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(
    -Wconditional-uninitialized
    -Wshadow
    -Wsuggest-override
    -Wunreachable-code
  )
endif()

if(SLUICE_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
