# Swagger UI for the service's pages: fetched once from the package registry, by name and SHA-256 (swagger_ui.lock), kept in a
# folder that all builds of this user share. Without it the build goes on, and the page says what is missing.
option(HOLDFAST_SWAGGER_UI "Fetch Swagger UI and build it in" ON)

# holdfast_swagger_ui(FOLDER): sets FOLDER to where its files are; empty: they are not to be had.
function(holdfast_swagger_ui result)
  set(${result} "" PARENT_SCOPE)
  if(NOT HOLDFAST_SWAGGER_UI)
    return()
  endif()
  set(lock ${PROJECT_SOURCE_DIR}/cmake/swagger_ui.lock)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  file(STRINGS ${lock} line REGEX "--hash=sha256:")
  string(REGEX REPLACE ".*--hash=sha256:([0-9a-f]+).*" "\\1" hash "${line}")

  set(cache $ENV{HOME}/.cache/holdfast)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(cache $ENV{XDG_CACHE_HOME}/holdfast)
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E make_directory ${cache} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status STREQUAL "0")
    set(cache ${PROJECT_BINARY_DIR}/_assets)  # nobody's home, or not ours to write
  endif()
  set(wheel ${cache}/${hash}.whl)
  if(NOT EXISTS ${wheel})
    set(got ${PROJECT_BINARY_DIR}/_assets/download)
    file(REMOVE_RECURSE ${got})
    find_program(HOLDFAST_PYTHON python3 REQUIRED)
    message(STATUS "Swagger UI: fetching ${line}")
    execute_process(
      COMMAND ${HOLDFAST_PYTHON} -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 30 --no-deps
              --only-binary :all: --require-hashes -r ${lock} -d ${got}
      TIMEOUT 120 RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    file(GLOB fetched ${got}/*.whl)
    if(NOT status STREQUAL "0" OR NOT fetched)
      message(WARNING "Swagger UI could not be fetched, /swagger-ui.html will say so; configure again when pip reaches its "
                      "registry, or set HOLDFAST_SWAGGER_UI=OFF. ${output}")
      return()
    endif()
    string(RANDOM LENGTH 12 unique)
    file(COPY_FILE ${fetched} ${wheel}.${unique})
    file(RENAME ${wheel}.${unique} ${wheel})  # whole or not at all, however many builds do this at once
  endif()
  file(SHA256 ${wheel} found)
  if(NOT found STREQUAL hash)
    message(FATAL_ERROR "${wheel} is not the file that cmake/swagger_ui.lock names: remove it")
  endif()
  set(folder ${PROJECT_BINARY_DIR}/_assets/${hash})
  if(NOT EXISTS ${folder})
    file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${folder} PATTERNS "*/dist/swagger-ui*" "*/dist/favicon*" "*/dist/LICENSE")
  endif()
  set(${result} ${folder}/flask_swagger_ui/dist PARENT_SCOPE)
endfunction()
