# C libraries that are loaded at their first use: see src/runtime/loaded_library.hpp.

# tgmap_load_or_link(NAME TARGET): sets NAME_linked, the argument of target_link_libraries for the library of that target.
# For a shared library these are its headers and TGMAP_LOADS_NAME, its soname; NAME_loaded is then ON, and nothing is linked.
# For a static library, or if TGMAP_LOAD_LIBRARIES is off, it is the target itself.
function(tgmap_load_or_link name target)
  set(${name}_loaded OFF PARENT_SCOPE)
  set(${name}_linked ${target} PARENT_SCOPE)
  if(NOT TGMAP_LOAD_LIBRARIES OR NOT CMAKE_OBJDUMP)
    return()
  endif()
  get_target_property(library ${target} IMPORTED_LOCATION)
  if(NOT library)
    get_target_property(library ${target} INTERFACE_LINK_LIBRARIES)  # as pkg-config's are
  endif()
  list(GET library 0 library)
  execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE header ERROR_QUIET)
  if(NOT header MATCHES "SONAME +([^ \n]+)")
    return()
  endif()
  set(soname ${CMAKE_MATCH_1})
  string(TOUPPER ${name} upper)
  add_library(tgmap_loads_${name} INTERFACE)
  get_target_property(headers ${target} INTERFACE_INCLUDE_DIRECTORIES)
  if(headers)
    target_include_directories(tgmap_loads_${name} SYSTEM INTERFACE ${headers})
  endif()
  target_compile_definitions(tgmap_loads_${name} INTERFACE TGMAP_LOADS_${upper}="${soname}")
  set(${name}_loaded ON PARENT_SCOPE)
  set(${name}_linked $<BUILD_INTERFACE:tgmap_loads_${name}> PARENT_SCOPE)
endfunction()
