# Installed: the library, its headers, the command, a CMake package and a pkg-config file.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tgmap)
install(TARGETS tgmap EXPORT tgmapTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT tgmapTargets NAMESPACE tgmap:: DESTINATION ${package_dir})
install(DIRECTORY include/tgmap ${PROJECT_BINARY_DIR}/include/tgmap
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  PATTERN "tgmap/constant" EXCLUDE PATTERN "tgmap/zio" EXCLUDE)
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
  # The command finds a shared library beside it wherever both are moved to.
  set_target_properties(tgmap_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS tgmap_cli)
  if(TGMAP_BUILD_MANUALS)
    set(share ${PROJECT_BINARY_DIR}/src/cli/share)
    install(DIRECTORY ${share}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(DIRECTORY ${share}/bash-completion ${share}/zsh ${share}/fish DESTINATION ${CMAKE_INSTALL_DATADIR})
  endif()
endif()

get_target_property(library_type tgmap TYPE)
configure_package_config_file(src/package/tgmapConfig.cmake.in ${PROJECT_BINARY_DIR}/package/tgmapConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a consumer that asked for 0.1 must not be given 0.2.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/tgmapConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/tgmapConfig.cmake ${PROJECT_BINARY_DIR}/package/tgmapConfigVersion.cmake
  src/package/find_library.cmake DESTINATION ${package_dir})

# Relative to the file itself, so that an installation can be moved.
file(RELATIVE_PATH pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(pc_re2 "")
if(TGMAP_RE2)
  set(pc_re2 " re2")
endif()
set(pc_tbb "")
if(tgmap_has_tbb)
  set(pc_tbb " tbb")
endif()
set(pc_highway "")
if(TGMAP_HIGHWAY)
  set(pc_highway " libhwy")
endif()
configure_file(src/package/tgmap.pc.in ${PROJECT_BINARY_DIR}/package/tgmap.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/tgmap.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
