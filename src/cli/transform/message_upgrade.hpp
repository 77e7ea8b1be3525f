// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "cli/app/session.hpp"
#include "cli/transform/object_hashes.hpp"
#include "cli/transform/reencoded_object.hpp"

namespace tgmap::cli {

/// The options of the upgrade from version 2 to version 3.
struct upgrade_rules {
  std::string file;                                   ///< for messages
  damaged_objects damaged = damaged_objects::refuse;  ///< also for objects that cannot be decoded
  bool keep_raw = false;                              ///< leave NaN and infinities among the elements
  missing_options missing{};                          ///< storage of their masks otherwise
};

/// A `message_upgrade` turns messages of version 2 into messages of version 3. Payloads stay unchanged if version 3
/// reads the same elements from them. All objects are decoded to make sure that they are readable.
class message_upgrade {
 public:
  message_upgrade(upgrade_rules rules, session& run) : rules_(std::move(rules)), run_(run) {}

  /// Upgrades a message. Lifetime: the result borrows from the archive, and from this until the next call. Errors:
  /// throws cli_error if an object is damaged or cannot be read or stored; tgmap::error.
  void upgrade(const message&, stored_message& out);

  std::uint64_t reencoded_for_szip() const noexcept { return for_szip_; }        ///< objects with szip of old releases
  std::uint64_t reencoded_for_missing() const noexcept { return for_missing_; }  ///< objects with NaN or infinities

 private:
  stored_object upgrade_object(const message&, std::size_t j);
  stored_object reencode(const message&, const object&, const cbor_value& base);
  bool holds_non_finite(const message&, const object&);

  upgrade_rules rules_;
  session& run_;
  std::deque<reencoded_object> current_{};  ///< objects of the last message
  std::uint64_t for_szip_ = 0, for_missing_ = 0;
};

}  // namespace tgmap::cli
