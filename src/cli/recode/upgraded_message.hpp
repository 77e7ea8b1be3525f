// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "cli/app/session.hpp"
#include "cli/recode/encoded_anew.hpp"
#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

/// How messages of version 2 become messages of version 3.
struct upgrade_rules {
  std::string file;                                   ///< they are of, to be told of
  damaged_objects damaged = damaged_objects::refuse;  ///< or unreadable ones
  bool keep_raw = false;                              ///< NaN and infinities stay among the elements
  missing_options missing{};                          ///< how masks of them are stored otherwise
};

/// Makes messages of version 2 anew, one after another. Payloads stay as they lie where version 3 would read the same
/// elements in them; all are decoded, to see that they can be.
class message_upgrade {
 public:
  message_upgrade(upgrade_rules rules, session& run) : rules_(std::move(rules)), run_(run) {}

  /// Borrows from the archive, and from this until the next call. Throws cli_error about an object that is damaged or
  /// cannot be read or stored; tgmap::error.
  void make(const message&, message_parts& out);

  std::uint64_t for_szip() const noexcept { return for_szip_; }  ///< objects encoded anew, for who wrote their szip
  std::uint64_t for_missing() const noexcept { return for_missing_; }  ///< the same, for NaN or infinities in them

 private:
  stored_object upgraded(const message&, std::size_t j);
  stored_object encoded(const message&, const object&, const cbor_value& base);
  bool holds_non_finite(const message&, const object&);

  upgrade_rules rules_;
  session& run_;
  std::deque<encoded_anew> made_{};  ///< of the message at hand
  std::uint64_t for_szip_ = 0, for_missing_ = 0;
};

}  // namespace tgmap::cli
