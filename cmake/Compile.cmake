# What every file of the project is compiled with. The compiler and the sanitizers come from CMakePresets.json.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)  # a room finds its own libraries; whoever links the room sees them
set(Boost_NO_WARN_NEW_VERSIONS ON)
find_package(Threads REQUIRED)

add_compile_options(-fPIC)  # not CMAKE_POSITION_INDEPENDENT_CODE: libraries and programs share precompiled headers
add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
add_compile_definitions(BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
                        BOOST_ASIO_DISABLE_SERIAL_PORT)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")  # lets ccache keep precompiled headers
else()
  add_compile_options(-Wno-tsan -Wno-subobject-linkage)
endif()
if(HOLDFAST_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # without it the fuzzer does not see which code its input has reached
endif()

find_program(HOLDFAST_LINKER NAMES mold ld.lld-19 ld.lld)
if(HOLDFAST_LINKER MATCHES "mold$")
  add_link_options(-fuse-ld=mold)
elseif(HOLDFAST_LINKER)
  add_link_options(-fuse-ld=lld)
endif()

find_program(HOLDFAST_CCACHE ccache)
if(HOLDFAST_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${HOLDFAST_CCACHE})
endif()
