// SPDX-License-Identifier: Apache-2.0
#include "convert/file_format.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "core/text/utf8.hpp"

namespace tgmap::convert {

namespace {

using namespace std::string_view_literals;

/// The first bytes of a format, at `offset`.
struct signature {
  std::string_view bytes;
  std::size_t offset;
  file_format format;
};

constexpr std::array<signature, 17> signatures{{{"TENSOGRM"sv, 0, file_format::archive},
                                                {"\x93NUMPY"sv, 0, file_format::numpy},
                                                {"PK\x03\x04"sv, 0, file_format::zip},
                                                {"PK\x05\x06"sv, 0, file_format::zip},  // without members
                                                {"GRIB"sv, 0, file_format::grib},
                                                {"CDF\x01"sv, 0, file_format::netcdf},
                                                {"CDF\x02"sv, 0, file_format::netcdf},
                                                {"CDF\x05"sv, 0, file_format::netcdf},
                                                {"\x89HDF\r\n\x1a\n"sv, 0, file_format::hdf5},
                                                {"\x1f\x8b"sv, 0, file_format::gzip},
                                                {"\x28\xb5\x2f\xfd"sv, 0, file_format::zstd},
                                                {"\x04\x22\x4d\x18"sv, 0, file_format::lz4},
                                                {"\xfd"
                                                 "7zXZ\0"sv,
                                                 0, file_format::xz},
                                                {"1AY&SY"sv, 4, file_format::bzip2},
                                                {"BUFR"sv, 0, file_format::bufr},
                                                {"ZIO"sv, 1, file_format::zio_frame},    // after a size of one byte
                                                {"ZIO"sv, 5, file_format::zio_frame}}};  // after a size of five bytes

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

}  // namespace

file_format find_file_format(std::span<const std::byte> first) noexcept {
  const std::string_view bytes(reinterpret_cast<const char*>(first.data()), std::min(first.size(), file_format_bytes));
  for (const signature& each : signatures)
    if (bytes.size() > each.offset && bytes.substr(each.offset).starts_with(each.bytes)) return each.format;
  return is_text(bytes) ? file_format::text : file_format::unknown;
}

file_format find_file_format(const std::string& file) {
  std::array<std::byte, file_format_bytes> memory;
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(memory.data()), static_cast<std::streamsize>(memory.size()));
  return find_file_format(std::span(memory).first(static_cast<std::size_t>(in.gcount())));
}

file_format find_other_format(const archive& in) {
  std::array<std::byte, file_format_bytes> memory;
  const auto first =
      std::span(memory).first(static_cast<std::size_t>(std::min<std::uint64_t>(in.size_bytes(), memory.size())));
  in.read(0, first);
  const file_format format = find_file_format(first);
  if (format == file_format::unknown || format == file_format::archive) return file_format::archive;
  failure why;
  static_cast<void>(in.at(0, why));
  const bool has_none = why.code == make_error_code(errc::out_of_range) && !in.incomplete_tail();
  return has_none ? format : file_format::archive;
}

}  // namespace tgmap::convert
