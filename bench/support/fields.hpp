// SPDX-License-Identifier: Apache-2.0
// Synthetic fields, encoded as writers encode them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tgmap/tgmap.hpp>

#include "codecs/bare_codec.hpp"
#include "support/archives.hpp"
#include "support/object_maker.hpp"

namespace tgmap_bench {

/// The dtype and encoding of a field.
struct pipeline {
  std::string_view dtype = "float32";  ///< float32, float64
  unsigned packed = 0;                 ///< bits of simple_packing; dtype is float64 then
  std::size_t shuffled = 0;            ///< element size of the shuffle filter; 0: none
  std::string_view codec{};            ///< a name of bare_codecs()
  bool big_endian = false;

  std::string name() const;  ///< "packed16+szip"
  sample_kind sample() const;
  std::size_t width() const { return dtype == "float32" ? 4 : 8; }
};

/// Returns values like temperatures: smooth, with a little noise, within [200, 328).
std::vector<double> weather(std::size_t elements);

inline constexpr double packed_reference = 200;
double packed_scale(unsigned bits);  ///< 128 / 2^bits

octets pack(std::span<const double> values, unsigned bits);
octets shuffle(std::span<const std::byte> bytes, std::size_t size);

/// Returns `elements` values of weather(), encoded.
encoded_object encode(const pipeline&, std::size_t elements);

/// Undoes the encoding and the filter by bare loops. Reads up to unpack_overread bytes past the end of `bytes`.
void bare_finish(const pipeline&, std::span<const std::byte> bytes, std::span<std::byte> out);

void write_archive(const std::filesystem::path&, std::span<const encoded_object>);

/// An archive of such objects, in memory or mapped.
class opened_objects {
 public:
  struct in_sealed_file {};

  opened_objects(std::vector<encoded_object>, const archives& files, bool in_memory);
  opened_objects(std::vector<encoded_object>, in_sealed_file);  ///< maps a file that is sealed against changes
  opened_objects(const opened_objects&) = delete;

  const tgmap::archive& archive() const { return *archive_; }
  /// Returns the objects without their payloads, which only the archive holds.
  const std::vector<encoded_object>& encoded() const { return encoded_; }
  tgmap::object operator[](std::size_t j) const { return (*archive_)[0][j]; }

 private:
  std::vector<encoded_object> encoded_;
  std::string bytes_;
  std::optional<tgmap::archive> archive_;
};

/// Returns the number of elements of a row: 4 Mi, or a tenth with --quick.
inline std::size_t usual_elements(const archives& files) {
  return files.quick() ? std::size_t{400} << 10 : std::size_t{4} << 20;
}

inline constexpr double mebibyte = 1024 * 1024;

/// Returns the nanoseconds that a MiB takes at a speed in MB/s.
constexpr double at_speed(double megabytes_a_second) { return mebibyte * 1e3 / megabytes_a_second; }

}  // namespace tgmap_bench
