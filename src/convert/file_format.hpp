// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tgmap/archive.hpp>

namespace tgmap::convert {

/// A format of files, as their first bytes show it.
enum class file_format : std::uint8_t {
  unknown,
  archive,  ///< Tensogram
  numpy,    ///< .npy
  zip,      ///< ZIP, such as .npz or Zarr
  grib,
  netcdf,  ///< NetCDF-3
  hdf5,    ///< HDF5, such as NetCDF-4
  gzip,
  zstd,
  lz4,
  xz,
  bzip2,
  bufr,
  zio_frame,  ///< a frame of a ZIO message
  text,       ///< printable UTF-8
};

/// Number of bytes that are enough to find the format of a file.
inline constexpr std::size_t file_format_bytes = 512;

/// Returns the format of a file by its first bytes, or that of a file by its name; unknown if it cannot be read.
file_format find_file_format(std::span<const std::byte> first) noexcept;
file_format find_file_format(const std::string& file);

/// Returns the format of a file that was opened as an archive but is not one: it begins like another format and
/// contains no message. Returns `archive` for archives, damaged ones too, and for files of unknown formats.
/// Errors: throws tgmap::error. Complexity: scans up to the first message.
file_format find_other_format(const archive&);

}  // namespace tgmap::convert
