// SPDX-License-Identifier: Apache-2.0
// Fields of numbers, encoded as writers encode them.
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

/// What is encoded how.
struct pipeline {
  std::string_view dtype = "float32";  ///< float32, float64
  unsigned packed = 0;                 ///< bits of simple_packing; dtype is float64 then
  std::size_t shuffled = 0;            ///< bytes of what is shuffled
  std::string_view codec{};            ///< of bare_codecs()
  bool big_endian = false;

  std::string name() const;  ///< "packed16+szip"
  sample_kind sample() const;
  std::size_t width() const { return dtype == "float32" ? 4 : 8; }
};

/// As temperatures are: smooth, with a little noise. Within [200, 328).
std::vector<double> weather(std::size_t elements);

inline constexpr double packed_reference = 200;
double packed_scale(unsigned bits);  ///< 128 / 2^bits

octets pack(std::span<const double> values, unsigned bits);
octets shuffle(std::span<const std::byte> bytes, std::size_t size);

/// The encoded form of `elements` of the weather.
encoded_object encode(const pipeline&, std::size_t elements);

/// What undoes the encoding and the filter, as bare loops: reads `bytes` with unpack_overread bytes behind them.
void bare_finish(const pipeline&, std::span<const std::byte> bytes, std::span<std::byte> out);

void write_archive(const std::filesystem::path&, std::span<const encoded_object>);

/// An archive of such objects, in memory, or mapped out of a file that is gone when it is closed.
class opened_objects {
 public:
  struct in_sealed_file {};

  opened_objects(std::vector<encoded_object>, const archives& files, bool in_memory);
  opened_objects(std::vector<encoded_object>, in_sealed_file);  ///< mapped, and nobody can change it
  opened_objects(const opened_objects&) = delete;

  const tgmap::archive& archive() const { return *archive_; }
  /// Without their payloads, which are the archive's.
  const std::vector<encoded_object>& encoded() const { return encoded_; }
  tgmap::object operator[](std::size_t j) const { return (*archive_)[0][j]; }

 private:
  std::vector<encoded_object> encoded_;
  std::string bytes_;
  std::optional<tgmap::archive> archive_;
};

/// Rows of 4 Mi elements, or a tenth.
inline std::size_t usual_elements(const archives& files) {
  return files.quick() ? std::size_t{400} << 10 : std::size_t{4} << 20;
}

inline constexpr double mebibyte = 1024 * 1024;

/// Nanoseconds that a MiB takes at so many MB/s.
constexpr double at_speed(double megabytes_a_second) { return mebibyte * 1e3 / megabytes_a_second; }

}  // namespace tgmap_bench
