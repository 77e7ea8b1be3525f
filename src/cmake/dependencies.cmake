# Finds the libraries that tgmap uses. Each component requires only its own.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS headers)
find_package(PkgConfig REQUIRED)  # Debian's libcbor and xxHash have no CMake package
pkg_check_modules(libcbor REQUIRED IMPORTED_TARGET GLOBAL libcbor>=0.8)
pkg_check_modules(libxxhash REQUIRED IMPORTED_TARGET GLOBAL libxxhash>=0.8)

if(TGMAP_RE2)
  pkg_check_modules(libre2 IMPORTED_TARGET GLOBAL re2)
  if(NOT libre2_FOUND)
    message(FATAL_ERROR "RE2 is missing: install libre2-dev, or configure with -DTGMAP_RE2=OFF and do without key~regex")
  endif()
  # Older releases state no version except in the library's name.
  list(GET libre2_LINK_LIBRARIES 0 re2_library)
  file(REAL_PATH "${re2_library}" re2_library)
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+$" re2_version "${re2_library}")
  if(NOT re2_version)
    set(re2_version ${libre2_VERSION})
  endif()
endif()

if(TGMAP_HIGHWAY)
  pkg_check_modules(libhwy libhwy>=1.0)  # its headers; see src/codec/simd/cpu_targets.hpp
  if(NOT libhwy_FOUND)
    message(FATAL_ERROR "Highway is missing: install libhwy-dev, or configure with -DTGMAP_HIGHWAY=OFF and unpack by plain loops")
  endif()
endif()

# The thread sanitizer does not see how threads of TBB synchronise, so its tests use the library's own threads.
set(tgmap_has_tbb OFF)
if(TGMAP_TBB AND TGMAP_SANITIZE MATCHES "thread")
  message(STATUS "oneTBB: left out under the thread sanitizer")
elseif(TGMAP_TBB)
  find_package(TBB 2021 CONFIG QUIET)
  if(NOT TBB_FOUND)
    message(FATAL_ERROR "oneTBB is missing: install libtbb-dev, or configure with -DTGMAP_TBB=OFF and have threads of tgmap's own")
  endif()
  set(tgmap_has_tbb ON)
endif()

if(TGMAP_CAIRO AND (TGMAP_BUILD_CLI OR TGMAP_BUILD_TESTS))
  pkg_check_modules(libcairo cairo>=1.16)
  if(NOT libcairo_FOUND)
    message(FATAL_ERROR "cairo is missing: install libcairo2-dev, or configure with -DTGMAP_CAIRO=OFF and do without images")
  endif()
endif()

if(TGMAP_BUILD_CLI OR TGMAP_BUILD_TESTS)
  find_package(nlohmann_json 3.11 CONFIG REQUIRED)
endif()

if(TGMAP_SIMDJSON)
  find_package(simdjson 3.0 CONFIG QUIET)
endif()

# The component tgmap::constant.
set(tgmap_has_constant OFF)
if(TGMAP_CONSTANT AND simdjson_FOUND)
  # One source uses stage 1 of simdjson, which is not part of its public interface.
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  try_compile(TGMAP_SIMDJSON_STAGE1 ${CMAKE_BINARY_DIR}/simdjson_stage1
    SOURCES ${PROJECT_SOURCE_DIR}/src/constant/json/structural_index.cpp
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR}/src
    LINK_LIBRARIES simdjson::simdjson
    OUTPUT_VARIABLE simdjson_stage1_output
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  unset(CMAKE_TRY_COMPILE_TARGET_TYPE)
  if(TGMAP_SIMDJSON_STAGE1)
    set(tgmap_has_constant ON)
  else()
    message(STATUS "tgmap::constant is left out: src/constant/json/structural_index.cpp does not compile with simdjson "
                   "${simdjson_VERSION}:\n${simdjson_stage1_output}")
  endif()
elseif(TGMAP_CONSTANT)
  message(STATUS "tgmap::constant is left out: it needs libsimdjson-dev, and TGMAP_SIMDJSON on")
endif()

# The component tgmap::zio, if its libraries are found.
set(tgmap_has_zio OFF)
set(zeromq_version "")
if(TGMAP_ZIO)
  pkg_check_modules(libzmq IMPORTED_TARGET GLOBAL libzmq>=4.3)
  find_package(nlohmann_json 3.11 CONFIG QUIET)
  find_path(TGMAP_cppzmq_INCLUDE_DIR zmq.hpp)
  mark_as_advanced(TGMAP_cppzmq_INCLUDE_DIR)
  if(libzmq_FOUND AND TGMAP_cppzmq_INCLUDE_DIR AND nlohmann_json_FOUND)
    set(tgmap_has_zio ON)
    # Without the folders of its own dependencies: CMake has one of them at the first configuration only, so that the second
    # one would compile all again.
    set_target_properties(PkgConfig::libzmq PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${libzmq_INCLUDEDIR}"
      INTERFACE_COMPILE_OPTIONS "")
    set(zeromq_version ${libzmq_VERSION})
    tgmap_load_or_link(zmq PkgConfig::libzmq)
    # For tests and benchmarks, which call ZeroMQ themselves.
    add_library(tgmap_zmq INTERFACE)
    target_include_directories(tgmap_zmq SYSTEM INTERFACE ${TGMAP_cppzmq_INCLUDE_DIR})
    target_link_libraries(tgmap_zmq INTERFACE PkgConfig::libzmq)
  else()
    message(STATUS "tgmap::zio is left out: it needs libzmq3-dev, cppzmq-dev and nlohmann-json3-dev")
  endif()
endif()
if(TGMAP_BUILD_CLI OR TGMAP_BUILD_TESTS OR TGMAP_BUILD_BENCH)
  find_package(fmt 9 CONFIG REQUIRED)
  find_package(ZLIB REQUIRED)
endif()
if(TGMAP_BUILD_CLI)
  find_package(CLI11 2.1 CONFIG REQUIRED)
endif()
if(TGMAP_BUILD_TESTS)
  find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS unit_test_framework)
  find_package(Python3 3.8 REQUIRED COMPONENTS Interpreter)
endif()
if(TGMAP_BUILD_BENCH)
  find_package(benchmark 1.7 CONFIG REQUIRED)
endif()
if(TGMAP_BUILD_DOCS)
  find_package(Doxygen 1.9 REQUIRED)
endif()
