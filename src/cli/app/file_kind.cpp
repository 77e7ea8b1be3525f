// SPDX-License-Identifier: Apache-2.0
#include "cli/app/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "cli/app/cli_error.hpp"
#include "core/text/utf8.hpp"

namespace tgmap::cli {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view archive_magic = "TENSOGRM";

/// The first bytes of a kind, at `offset`.
struct signature {
  std::string_view bytes;
  std::size_t offset;
  file_kind kind;
};

constexpr file_kind zip_file{"a ZIP file, such as .npz or Zarr", "`tgmap create` packs the arrays of an .npz", true};
constexpr file_kind netcdf_file{"a NetCDF file", "convert it with `tensogram convert-netcdf`"};
constexpr file_kind zio_frame{"a frame of a ZIO message", "`tgmap tens import` makes an archive of it", false, false,
                              true};
constexpr file_kind text_file{"a text file", "name an archive; `tgmap constant import` takes tensor constants", true,
                              true};

constexpr std::array<signature, 16> signatures{
    {{"\x93NUMPY"sv, 0, {"a NumPy file (.npy)", "`tgmap create` packs it", true}},
     {"PK\x03\x04"sv, 0, zip_file},
     {"PK\x05\x06"sv, 0, zip_file},  // without members
     {"GRIB"sv, 0, {"a GRIB file", "convert it with `tensogram convert-grib`"}},
     {"CDF\x01"sv, 0, netcdf_file},
     {"CDF\x02"sv, 0, netcdf_file},
     {"CDF\x05"sv, 0, netcdf_file},
     {"\x89HDF\r\n\x1a\n"sv,
      0,
      {"an HDF5 file, such as NetCDF-4", "if it is NetCDF-4, convert it with `tensogram convert-netcdf`"}},
     {"\x1f\x8b"sv, 0, {"a file compressed by gzip", "unpack it with `gunzip`"}},
     {"\x28\xb5\x2f\xfd"sv, 0, {"a file compressed by zstd", "unpack it with `zstd -d`"}},
     {"\x04\x22\x4d\x18"sv, 0, {"a file compressed by lz4", "unpack it with `lz4 -d`", false, true}},
     {"\xfd"
      "7zXZ\0"sv,
      0,
      {"a file compressed by xz", "unpack it with `xz -d`"}},
     {"1AY&SY"sv, 4, {"a file compressed by bzip2", "unpack it with `bunzip2`"}},
     {"BUFR"sv, 0, {"a BUFR file", "decode it with ecCodes, and pack its arrays with `tgmap create`"}},
     {"ZIO"sv, 1, zio_frame},    // after a size of one byte
     {"ZIO"sv, 5, zio_frame}}};  // after a size of five bytes

bool is_text(std::string_view first) {
  const auto is_printable = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 ? c != 0x7f : c == '\n' || c == '\r' || c == '\t' || c == '\f';
  };
  if (first.empty() || !std::all_of(first.begin(), first.end(), is_printable)) return false;
  // The last character may be cut.
  for (std::size_t cut = 0; cut < 4 && cut < first.size(); ++cut)
    if (core::is_utf8(first.substr(0, first.size() - cut))) return true;
  return false;
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::vector<std::byte> read_first_bytes(const std::string& file) {
  std::vector<std::byte> out(file_kind_bytes);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

bool begins_as_archive(std::span<const std::byte> first) { return as_text(first).starts_with(archive_magic); }

const file_kind* find_file_kind(std::span<const std::byte> first) {
  const std::string_view bytes = as_text(first.first(std::min(first.size(), file_kind_bytes)));
  if (begins_as_archive(first)) return nullptr;
  for (const signature& each : signatures)
    if (bytes.size() > each.offset && bytes.substr(each.offset).starts_with(each.bytes)) return &each.kind;
  return is_text(bytes) ? &text_file : nullptr;
}

const file_kind* find_other_kind(const archive& in) {
  std::array<std::byte, file_kind_bytes> memory;
  const auto first =
      std::span(memory).first(static_cast<std::size_t>(std::min<std::uint64_t>(in.size_bytes(), memory.size())));
  in.read(0, first);
  const file_kind* const kind = find_file_kind(first);
  if (kind == nullptr) return nullptr;
  failure why;
  static_cast<void>(in.at(0, why));
  return why.code == make_error_code(errc::out_of_range) && !in.incomplete_tail() ? kind : nullptr;
}

void require_archive(const archive& in) {
  if (const file_kind* const kind = find_other_kind(in))
    throw cli_error(fmt::format("is not a Tensogram archive: {}", kind->name), std::string(kind->next_step));
}

}  // namespace tgmap::cli
