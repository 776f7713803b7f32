# find_package(holdfast COMPONENTS io store_memory): one component a room, each with its own target file, so that a user
# needs only the libraries of the rooms that are asked for.

include(CMakePackageConfigHelpers)
set(HOLDFAST_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast)

function(holdfast_install_room name)
  install(TARGETS holdfast_${name} EXPORT holdfast_${name}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  # not holdfast-NAME.cmake: there is a room named config
  install(EXPORT holdfast_${name} NAMESPACE holdfast:: FILE holdfast-room-${name}.cmake DESTINATION ${HOLDFAST_PACKAGE_DIR})
endfunction()

function(holdfast_install_package)
  set(HOLDFAST_COMPONENTS "")
  foreach(room IN LISTS HOLDFAST_BUILT)
    set(deps "")
    foreach(dep IN LISTS HOLDFAST_DEPS_${room})
      if(dep IN_LIST HOLDFAST_BUILT)
        list(APPEND deps ${dep})
      endif()
    endforeach()
    get_property(finds GLOBAL PROPERTY HOLDFAST_FIND_${room})
    string(APPEND HOLDFAST_COMPONENTS "set(_holdfast_deps_${room} ${deps})\n")
    set(quoted "")
    foreach(find IN LISTS finds)
      string(APPEND quoted " \"${find}\"")
    endforeach()
    string(APPEND HOLDFAST_COMPONENTS "set(_holdfast_find_${room}${quoted})\n")
  endforeach()
  string(REPLACE ";" " " HOLDFAST_ROOM_NAMES "${HOLDFAST_BUILT}")
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/holdfast-config.cmake.in
    ${PROJECT_BINARY_DIR}/holdfast-config.cmake INSTALL_DESTINATION ${HOLDFAST_PACKAGE_DIR})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/holdfast-config-version.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/holdfast-config.cmake ${PROJECT_BINARY_DIR}/holdfast-config-version.cmake
    DESTINATION ${HOLDFAST_PACKAGE_DIR})
endfunction()
