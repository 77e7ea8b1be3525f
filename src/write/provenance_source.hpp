// SPDX-License-Identifier: Apache-2.0
// Who wrote a message, and when (§5.1): the section `_reserved_`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/write/cbor_value.hpp>
#include <tgmap/write/writer.hpp>
#include <vector>

#include "cbor/writer.hpp"

namespace tgmap::write {

/// Makes the section for one message after another. Asks the system for random bytes once, and anew in a process that
/// was forked off: identifiers are hashes of these and of a count, for the system takes 50 ns for each.
class provenance_source {
 public:
  /// Version 2 never goes without an encoder.
  provenance_source(const provenance&, int version);

  /// From now on the section is that one, as it is, which is a map and must live; null: this source's own.
  void keep(const cbor_value* section) noexcept { kept_ = section; }

  bool empty() const noexcept { return kept_ ? kept_->empty() : encoder_.empty() && !has_time() && !has_uuid(); }

  /// Whether readers of version 2 undo szip as releases before 0.7.0 did it (§7.4).
  bool means_legacy_szip() const;

  /// The map itself. Throws std::bad_alloc; std::system_error where the system has no random bytes.
  void put(cbor::writer&);

 private:
  bool has_time() const noexcept { return clock_ || !time_.empty(); }
  bool has_uuid() const noexcept { return random_ || !uuid_.empty(); }
  bool tick();
  void put_together();
  void take_key();
  void put_random_uuid(std::span<std::byte> digits);

  const cbor_value* kept_ = nullptr;
  std::string encoder_, encoder_version_, time_, uuid_;
  bool clock_ = false, random_ = false;
  std::time_t second_ = -1;           // that `time_` tells
  std::vector<std::byte> section_{};  // of the last message: most often only the uuid is another
  std::size_t uuid_at_ = 0;
  std::array<std::uint64_t, 5> key_and_count_{};  // random, the number of the message in the last word
  bool has_key_ = false;
  std::uint64_t key_forks_ = 0;  // when it was asked for
};

}  // namespace tgmap::write
