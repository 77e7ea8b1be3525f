// SPDX-License-Identifier: Apache-2.0
// The beginning of a GRIB message: its edition and length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/bridge/errc.hpp>  // declares the namespaces

namespace tgmap::bridge::grib {

/// A `message_header` is what the bytes from "GRIB" on say.
struct message_header {
  enum class kind {
    not_grib,    ///< no "GRIB", or another edition than 1 and 2
    impossible,  ///< lengths that no message has, or no section 1
    incomplete,  ///< `size` bytes are needed to say more
    message,     ///< a message of `size` bytes, if they and "7777" are there
  };
  kind found = kind::not_grib;
  unsigned edition = 0;
  std::uint64_t size = 0;
};

/// Reads the beginning of a message, at most the first bytes of each section.
///
/// ECMWF codes messages of GRIB 1 beyond 8 MiB: bit 23 of their length is set, the others count units of 120 bytes, and
/// the length of section 4, which is then below 120, is subtracted. Without such a section 4 the length is a plain one.
/// Complexity: constant.
message_header read_message_header(std::span<const std::byte> bytes) noexcept;

/// Returns whether the length of section 4 of a message of GRIB 1 is coded, and is thus not its own.
bool has_coded_length(std::span<const std::byte> message, std::uint64_t section_4_length) noexcept;

}  // namespace tgmap::bridge::grib
