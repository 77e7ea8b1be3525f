// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <support/bytes.hpp>
#include <vector>

#include "support/seeded_random.hpp"
#include "wire/frame.hpp"

namespace tgmap_fuzz {

using tgmap_test::bytes;

/// The bytes of a frame without padding.
struct frame_bytes {
  bytes data;

  std::uint16_t type() const { return static_cast<std::uint16_t>(tgmap_test::get(data, 2, 2)); }
  std::size_t tail(unsigned version) const { return tgmap::wire::tail_size(type(), version); }
  bool is_complete(unsigned version) const { return data.size() >= tgmap::wire::frame_header_size + tail(version); }
  /// Returns the position of the CBOR; in objects it follows the payload.
  std::size_t cbor_at(unsigned version) const {
    if (!tgmap::wire::is_object(type(), version)) return tgmap::wire::frame_header_size;
    const std::uint64_t at = tgmap_test::get_u64(data, data.size() - tail(version));
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(at, tgmap::wire::frame_header_size, data.size() - tail(version)));
  }
  bool has_cbor_after_payload() const {
    return (tgmap_test::get(data, 6, 2) & tgmap::wire::cbor_after_payload_flag) != 0;
  }
  /// Replaces bytes of the body, and updates the length and the position of the CBOR.
  void replace(std::size_t at, std::size_t count, std::string_view with, unsigned version) {
    const std::size_t cbor = cbor_at(version);
    data.replace(at, count, with);
    tgmap_test::put_u64(data, 8, data.size());
    if (tgmap::wire::is_object(type(), version) && has_cbor_after_payload() && at + count <= cbor)
      tgmap_test::put_u64(data, data.size() - tail(version), cbor + with.size() - count);
  }
};

struct message_model {
  bytes before{};  ///< bytes of no message
  bytes preamble{};
  std::vector<frame_bytes> frames{};
  bytes postamble{};
  unsigned version() const { return tgmap_test::get(preamble, 8, 2) == 2 ? 2 : 3; }
};

struct archive_model {
  std::vector<message_model> messages{};
  bytes rest{};
};

/// Parses an archive as far as its frames can be found.
archive_model parse(std::string_view data);

/// Writes the archive of a model. Offsets, lengths, indexes and hashes are mostly right; sometimes one is wrong.
bytes write(const archive_model&, seeded_random&);

/// Returns a number close to `value`, or a special one.
std::uint64_t other_number(std::uint64_t value, seeded_random&);

template <class List>
auto& any_of(List& list, seeded_random& numbers) {
  return list[static_cast<std::size_t>(numbers.below(list.size()))];
}

}  // namespace tgmap_fuzz
