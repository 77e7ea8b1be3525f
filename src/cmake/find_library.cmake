# Finds libraries that some distributions package with neither a pkg-config file nor a CMake package that works without C.
# Installed with tgmap's own package, which uses it, too.

# tgmap_find_library(NAME HEADER): sets NAME_FOUND, and makes the target tgmap_NAME, which is libNAME.
function(tgmap_find_library name header)
  find_path(TGMAP_${name}_INCLUDE_DIR ${header})
  find_library(TGMAP_${name}_LIBRARY ${name})
  mark_as_advanced(TGMAP_${name}_INCLUDE_DIR TGMAP_${name}_LIBRARY)
  set(found OFF)
  if(TGMAP_${name}_INCLUDE_DIR AND TGMAP_${name}_LIBRARY)
    set(found ON)
    if(NOT TARGET tgmap_${name})
      add_library(tgmap_${name} UNKNOWN IMPORTED GLOBAL)
      set_target_properties(tgmap_${name} PROPERTIES
        IMPORTED_LOCATION "${TGMAP_${name}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${TGMAP_${name}_INCLUDE_DIR}")
    endif()
  endif()
  set(${name}_FOUND ${found} PARENT_SCOPE)
endfunction()
