# Writes two headers: the version, which is installed, and the facts of this build, which are not.

configure_file(src/version.hpp.in ${PROJECT_BINARY_DIR}/include/tgmap/version.hpp @ONLY)

set(from_pkg_config "system, pkg-config")
set(from_cmake "system, CMake package")
set(zeromq_origin ${from_pkg_config})
if(zmq_loaded)
  set(zeromq_origin "system, loaded at run time")
endif()
set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
configure_file(src/cmake/build_info.hpp.in ${PROJECT_BINARY_DIR}/generated/tgmap_build_info.hpp @ONLY)

# While the major version is 0, every minor version may break the ABI.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(TGMAP_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
else()
  set(TGMAP_SOVERSION ${PROJECT_VERSION_MAJOR})
endif()
