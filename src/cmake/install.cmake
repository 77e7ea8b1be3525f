# Installs the library, its headers, the command, a CMake package, a pkg-config file, and licenses. Libraries without a
# package of their own are installed, too. No file names a path outside the prefix.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tgmap)
install(TARGETS tgmap EXPORT tgmapTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tgmapTargets NAMESPACE tgmap:: DESTINATION ${package_dir})
install(DIRECTORY include/tgmap ${PROJECT_BINARY_DIR}/include/tgmap
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  PATTERN "tgmap/bridge" EXCLUDE PATTERN "tgmap/constant" EXCLUDE PATTERN "tgmap/zio" EXCLUDE)
install(TARGETS tgmap_tools EXPORT tgmapToolsTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tgmapToolsTargets NAMESPACE tgmap:: DESTINATION ${package_dir})
if(tgmap_has_bridge)
  install(TARGETS tgmap_bridge EXPORT tgmapBridgeTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT tgmapBridgeTargets NAMESPACE tgmap:: DESTINATION ${package_dir})
  install(DIRECTORY include/tgmap/bridge DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tgmap FILES_MATCHING PATTERN "*.hpp")
endif()
if(tgmap_has_constant)
  install(TARGETS tgmap_constant EXPORT tgmapConstantTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT tgmapConstantTargets NAMESPACE tgmap:: DESTINATION ${package_dir})
  install(DIRECTORY include/tgmap/constant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tgmap FILES_MATCHING PATTERN "*.hpp")
endif()
if(tgmap_has_zio)
  install(TARGETS tgmap_zio EXPORT tgmapZioTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT tgmapZioTargets NAMESPACE tgmap:: DESTINATION ${package_dir})
  install(DIRECTORY include/tgmap/zio DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tgmap FILES_MATCHING PATTERN "*.hpp")
endif()
if(TARGET tgmap_cli)
  # The command finds the shared library after both were moved.
  set_target_properties(tgmap_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS tgmap_cli)
  if(TGMAP_BUILD_MANUALS)
    set(share ${PROJECT_BINARY_DIR}/src/cli/share)
    install(DIRECTORY ${share}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(DIRECTORY ${share}/bash-completion ${share}/zsh ${share}/fish DESTINATION ${CMAKE_INSTALL_DATADIR})
  endif()
endif()

get_target_property(library_type tgmap TYPE)
set(blosc2_comes_along OFF)
if(blosc2_bundled AND library_type STREQUAL "STATIC_LIBRARY")
  set(blosc2_comes_along ON)
  install(FILES ${blosc2_bundled} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME libtgmap_blosc2.a)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(folder IN LISTS tgmap_bundled_licenses)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)
endforeach()

set(package_libdir ${CMAKE_INSTALL_LIBDIR})
configure_package_config_file(src/cmake/tgmapConfig.cmake.in ${PROJECT_BINARY_DIR}/package/tgmapConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS package_libdir)
# Before 1.0, 0.2 does not satisfy a consumer that requires 0.1.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tgmapConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/tgmapConfig.cmake ${PROJECT_BINARY_DIR}/package/tgmapConfigVersion.cmake
  src/cmake/find_library.cmake DESTINATION ${package_dir})

# Relative to the file itself, so that an installation can be moved.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
# A program that links the static library links its dependencies, too. They are public, because no shared library is here
# that `pkg-config` without --static could mean.
set(pc_requires "")
set(pc_libraries "")
set(pc_flags "")
if(library_type STREQUAL "STATIC_LIBRARY")
  set(pc_requires "libcbor libxxhash")
  if(TGMAP_RE2)
    string(APPEND pc_requires " re2")
  endif()
  if(tgmap_has_tbb)
    string(APPEND pc_requires " tbb")
  endif()
  string(APPEND pc_requires "${pc_codec_requires}")
  set(pc_libraries "${pc_codec_libraries} -ldl -pthread")
  if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    string(PREPEND pc_libraries " -Wl,--exclude-libs,libtgmap.a")
  endif()
  set(pc_flags " -DTGMAP_STATIC")
endif()
configure_file(src/cmake/tgmap.pc.in ${PROJECT_BINARY_DIR}/package/tgmap.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/tgmap.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
