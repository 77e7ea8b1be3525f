// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstring>
#include <tgmap/archive.hpp>
#include <tgmap/write/writer.hpp>

#include "bridge/grib/import/field_conversion.hpp"
#include "bridge/grib/keys/eccodes_values.hpp"

namespace tgmap::bridge::grib {

namespace {

bool is_equal(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

}  // namespace

void check_exact(const field& from, const stored_object& object, failure& why) {
  const std::vector<double> expected = read_values_by_eccodes(from, why);
  if (why) return;

  new_message one;
  one.objects.emplace_back(object);
  const std::vector<std::byte> bytes = to_bytes(one, why);
  if (why) return;
  const archive written = archive::from_memory(bytes, why);
  if (why) return;
  const tensor values = written[0][0].decode_as(dtype::float64, why);
  if (why) return;
  const std::span<const std::byte> found = values.bytes();
  std::uint64_t differ = 0;
  if (found.size() != expected.size() * sizeof(double)) {
    differ = expected.size();
  } else {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      double value = 0;
      std::memcpy(&value, found.data() + i * sizeof value, sizeof value);
      if (!is_equal(value, expected[i])) ++differ;
    }
  }
  if (differ != 0)
    why = {.code = errc::inexact_values, .offset = from.offset, .expected = expected.size(), .found = differ};
}

}  // namespace tgmap::bridge::grib
