// SPDX-License-Identifier: Apache-2.0
#include "cli/app/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

namespace {

constexpr std::pair<file_format, file_kind> kinds[] = {
    {file_format::numpy, {"a NumPy file (.npy)", "`tgmap create` packs it"}},
    {file_format::zip, {"a ZIP file, such as .npz or Zarr", "`tgmap create` packs the arrays of an .npz"}},
    {file_format::grib, {"a GRIB file", "`tgmap import grib` makes an archive of it"}},
    {file_format::netcdf, {"a NetCDF file", "convert it with `tensogram convert-netcdf`"}},
    {file_format::hdf5,
     {"an HDF5 file, such as NetCDF-4", "if it is NetCDF-4, convert it with `tensogram convert-netcdf`"}},
    {file_format::gzip, {"a file compressed by gzip", "unpack it with `gunzip`"}},
    {file_format::zstd, {"a file compressed by zstd", "unpack it with `zstd -d`"}},
    {file_format::lz4, {"a file compressed by lz4", "unpack it with `lz4 -d`"}},
    {file_format::xz, {"a file compressed by xz", "unpack it with `xz -d`"}},
    {file_format::bzip2, {"a file compressed by bzip2", "unpack it with `bunzip2`"}},
    {file_format::bufr, {"a BUFR file", "decode it with ecCodes, and pack its arrays with `tgmap create`"}},
    {file_format::zio_frame, {"a frame of a ZIO message", "`tgmap tens import` makes an archive of it"}},
    {file_format::text, {"a text file", "name an archive; `tgmap constant import` takes tensor constants"}}};

}  // namespace

const file_kind* kind_of(file_format of) {
  const auto found =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& each) { return each.first == of; });
  return found == std::end(kinds) ? nullptr : &found->second;
}

void require_archive(const archive& in) {
  if (const file_kind* const kind = kind_of(convert::find_other_format(in)))
    throw cli_error(fmt::format("is not a Tensogram archive: {}", kind->name), std::string(kind->next_step));
}

}  // namespace tgmap::cli
