# Compiler options of this project. None of them reaches a consumer: options for consumers are on the target tgmap.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(TGMAP_CCACHE ccache)
if(TGMAP_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  # The compiler cache finds objects again if the checkout moves, as in continuous integration.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${TGMAP_CCACHE})
endif()

add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wcast-qual -Wformat=2
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wduplicated-cond -Wlogical-op)
  add_compile_options("SHELL:--param ggc-min-heapsize=500000")  # in KB: collects garbage less often, a tenth faster
  # False positives of GCC 12 in headers of libraries; the last one only in release builds.
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict -Wno-free-nonheap-object)
endif()
if(CMAKE_UNITY_BUILD)
  # In a unity build a source sees names of other sources. ./dev lint compiles each one alone.
  add_compile_options(-Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-subobject-linkage)
  endif()
endif()
if(TGMAP_WERROR)
  add_compile_options(-Werror)
endif()

# Without it, a program loads every library that is named to its linker, such as libzmq, whenever it starts. Some compilers
# pass it by themselves.
include(CheckLinkerFlag)
check_linker_flag(CXX LINKER:--as-needed TGMAP_HAS_AS_NEEDED)
if(TGMAP_HAS_AS_NEEDED)
  add_link_options(LINKER:--as-needed)
endif()

if(TGMAP_SANITIZE)
  # libFuzzer has its own main, so only the live fuzz targets link it; all other targets are only instrumented.
  string(REGEX REPLACE "(^|,)fuzzer(,|$)" "\\1fuzzer-no-link\\2" sanitizers "${TGMAP_SANITIZE}")
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  check_linker_flag(CXX -fuse-ld=lld TGMAP_HAS_LLD)
  if(TGMAP_HAS_LLD)
    add_link_options(-fuse-ld=lld)  # instrumented programs are large, and many
  endif()
endif()

if(TGMAP_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
