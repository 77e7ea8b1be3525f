#!/bin/sh
# Makes the files of this folder from ecCodes' samples: constant fields of 100 to 300 bytes that differ in their keys.
# usage: make_keys.sh    (in this folder; needs libeccodes-tools 2.28 or later)
set -eu
samples=$(codes_info -s)
make() { # NAME SAMPLE KEYS
  grib_set -s "$3" "$samples/$2.tmpl" "$1.grib"
}
local1=setLocalDefinition=1,localDefinitionNumber=1
make member_1 regular_ll_pl_grib1 type=pf,stream=enfo,number=5,step=12
make control_1 regular_ll_pl_grib1 type=cf,stream=enfo
make member_2 regular_ll_pl_grib2 \
  $local1,productDefinitionTemplateNumber=1,type=pf,stream=enfo,number=5,numberOfForecastsInEnsemble=51,step=12
make control_2 regular_ll_pl_grib2 $local1,productDefinitionTemplateNumber=1,type=cf,stream=enfo,number=0
make monthly_1 regular_ll_sfc_grib1 stream=moda,type=an,localDefinitionNumber=1
make monthly_2 regular_ll_sfc_grib2 $local1,stream=moda,type=an
make waves_1 regular_ll_sfc_grib1 stream=wave,type=an,localDefinitionNumber=13,paramId=140251,directionNumber=3,frequencyNumber=7,numberOfDirections=36,numberOfFrequencies=36
make accumulated_2 regular_ll_sfc_grib2 productDefinitionTemplateNumber=8,typeOfStatisticalProcessing=1,paramId=228228,stepRange=6-12
make experiment_2 regular_ll_pl_grib2 $local1,expver=hx1q,class=rd
make upwards_2 regular_ll_sfc_grib2 jScansPositively=1,latitudeOfFirstGridPoint=0,latitudeOfLastGridPoint=60000000
make columns_2 regular_ll_sfc_grib2 jPointsAreConsecutive=1
make globe_2 regular_ll_sfc_grib2 Ni=36,Nj=19,numberOfDataPoints=684,numberOfValues=684,latitudeOfFirstGridPoint=90000000,latitudeOfLastGridPoint=-90000000,longitudeOfFirstGridPoint=180000000,longitudeOfLastGridPoint=170000000,iDirectionIncrement=10000000,jDirectionIncrement=10000000
make gaussian_1 reduced_gg_pl_32_grib1 step=6
make gaussian_2 regular_gg_pl_grib2 step=6
make rotated_2 rotated_ll_pl_grib2 step=6
