# The component tgmap::tools: what programs do with whole archives, without words for people. It uses only the public headers
# of the library, and needs no further library.

add_library(tgmap_tools_objects OBJECT)
set_target_properties(tgmap_tools_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
foreach(folder IN ITEMS collection edit grid)
  add_subdirectory(${folder})
endforeach()

add_library(tgmap_tools $<TARGET_OBJECTS:tgmap_tools_objects>)
add_library(tgmap::tools ALIAS tgmap_tools)
set_target_properties(tgmap_tools PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${TGMAP_SOVERSION} EXPORT_NAME tools)

# The same with its internals accessible, for the command and for tests. Built only if something links it.
add_library(tgmap_tools_internal STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tgmap_tools_objects>)
target_include_directories(tgmap_tools_internal PUBLIC ${PROJECT_SOURCE_DIR}/src)

if(NOT BUILD_SHARED_LIBS AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  target_link_options(tgmap_tools INTERFACE LINKER:--exclude-libs,libtgmap_tools.a)
endif()
target_link_libraries(tgmap_tools_objects PRIVATE PkgConfig::libxxhash)
target_link_libraries(tgmap_tools PUBLIC tgmap::tgmap PRIVATE PkgConfig::libxxhash)
target_link_libraries(tgmap_tools_internal PUBLIC tgmap::tgmap PkgConfig::libxxhash)
foreach(target IN ITEMS tgmap_tools_objects tgmap_tools)
  target_compile_features(${target} PUBLIC cxx_std_20)
  if(tgmap_library_type STREQUAL "STATIC_LIBRARY")
    target_compile_definitions(${target} PUBLIC TGMAP_STATIC)
  endif()
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
endforeach()
