// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/options.hpp>

namespace tgmap::cli {

/// Limits on how much a run may decode. Verbs that decode nothing keep the library's defaults.
struct decode_limits {
  std::optional<std::uint64_t> max_decoded{};                        ///< bytes of one object
  std::optional<std::uint64_t> max_memory{};                         ///< bytes of all objects decoded at the same time
  std::optional<std::uint64_t> max_total{};                          ///< bytes of all objects of an archive
  std::uint64_t default_decoded = open_options{}.max_decoded_bytes;  ///< bytes of one object without --max-decoded
  unsigned objects_per_thread = 1;                                   ///< objects that a thread holds decoded at once

  /// Returns the limit for one object, small enough that the objects of one thread fit `max_memory`.
  std::uint64_t object_bytes() const noexcept;
  /// Returns the same limit if the user set one.
  std::optional<std::uint64_t> requested_object_bytes() const noexcept;
  /// Returns how many bytes may be decoded ahead of their use.
  std::uint64_t read_ahead_bytes() const noexcept;
  /// Returns the limit for all objects of one message.
  std::uint64_t message_bytes() const noexcept;
  /// Returns how many of `wanted` threads may decode at the same time: as many as fit into `max_memory`, at least one.
  unsigned threads(unsigned wanted) const noexcept;
  /// Returns the limit for all objects of an archive: `max_total`, or 64 GiB and at most 1000 times the bytes read so
  /// far plus 1 GiB.
  total_limit total() const noexcept;
};

}  // namespace tgmap::cli
