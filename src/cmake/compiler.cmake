# How the sources of this project are compiled. Nothing here reaches a consumer: what consumers need is stated on the
# target tgmap itself.

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
  # Objects are found again when the checkout moves, as it does in continuous integration.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${TGMAP_CCACHE})
endif()

add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wcast-qual -Wformat=2
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wduplicated-cond -Wlogical-op)
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict)  # GCC 12 guesses wrong, and inside others' headers
endif()
if(CMAKE_UNITY_BUILD)
  # Sources that are compiled together see names that are not theirs. ./dev lint looks at each by itself.
  add_compile_options(-Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-subobject-linkage)
  endif()
endif()
if(TGMAP_WERROR)
  add_compile_options(-Werror)
endif()

if(TGMAP_SANITIZE)
  # libFuzzer brings its own main, so only the live fuzz targets link it; everything else is merely instrumented.
  string(REGEX REPLACE "(^|,)fuzzer(,|$)" "\\1fuzzer-no-link\\2" sanitizers "${TGMAP_SANITIZE}")
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld TGMAP_HAS_LLD)
  if(TGMAP_HAS_LLD)
    add_link_options(-fuse-ld=lld)  # instrumented programs are large, and many
  endif()
endif()

if(TGMAP_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
