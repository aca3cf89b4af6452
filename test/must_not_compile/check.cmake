# SPDX-License-Identifier: BSL-1.0
#
# The script of sluice_must_not_compile, see CMakeLists.txt.
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(compile "${COMPILER}" ${flags} -fsyntax-only "-I${INCLUDE}")

execute_process(
  COMMAND ${compile} "${FILE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(NOT status EQUAL 0)
  message("${output}")
  message(FATAL_ERROR "${FILE} has to compile while SLUICE_REJECTED is not defined.")
endif()

execute_process(
  COMMAND ${compile} -DSLUICE_REJECTED "${FILE}"
  RESULT_VARIABLE status
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
if(status EQUAL 0)
  message(FATAL_ERROR "${FILE} compiles with SLUICE_REJECTED, but has to be rejected.")
endif()
if(NOT output MATCHES "${REGEX}")
  message("${output}")
  message(FATAL_ERROR "${FILE} is rejected, but nothing above matches: ${REGEX}")
endif()
