# Finds what the component tgmap::bridge uses beside the library: libaec, as the codec szip does, and ecCodes.
#
# Sets: tgmap_has_bridge; bridge_linked, the arguments of target_link_libraries; bridge_definitions, TGMAP_HAS_AEC and
# TGMAP_HAS_ECCODES, 0 or 1.

set(tgmap_has_bridge ${TGMAP_GRIB})
set(bridge_linked "")
set(bridge_definitions "")
if(TGMAP_GRIB)
  if(TGMAP_SZIP)
    list(APPEND bridge_linked ${aec_linked})
    list(APPEND bridge_definitions TGMAP_HAS_AEC=1)
  else()
    list(APPEND bridge_definitions TGMAP_HAS_AEC=0)
    message(STATUS "tgmap::bridge: CCSDS packing of GRIB needs libaec, which TGMAP_SZIP switches off")
  endif()

  tgmap_find_library(eccodes eccodes.h)
  if(eccodes_FOUND)
    tgmap_load_or_link(eccodes tgmap_eccodes)
    list(APPEND bridge_linked ${eccodes_linked})
    list(APPEND bridge_definitions TGMAP_HAS_ECCODES=1)
    if(NOT eccodes_loaded)
      list(APPEND tgmap_found_libraries eccodes=eccodes.h)
    endif()
  else()
    list(APPEND bridge_definitions TGMAP_HAS_ECCODES=0)
    message(STATUS "tgmap::bridge: keys of GRIB need libeccodes-dev, which is not found, so done without")
  endif()
endif()
