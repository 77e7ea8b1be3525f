// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/tensor.hpp>
#include <tgmap/write/new_message.hpp>
#include <utility>
#include <vector>

#include "edit/stored_objects.hpp"

namespace tgmap::edit {

/// The options of the upgrade from version 2 to version 3.
struct upgrade_rules {
  on_mismatch damaged = on_mismatch::refuse;  ///< also for objects that cannot be decoded
  bool keep_raw = false;                      ///< leave NaN and infinities among the elements
  missing_options missing{};                  ///< storage of their masks otherwise

  /// Returns true if NaN or infinities are among the elements. Errors: throws tgmap::error.
  std::function<bool(const tensor&)> holds_non_finite{};
};

/// Why an object cannot be upgraded.
struct upgrade_fault {
  enum class kind : std::uint8_t {
    decode,    ///< it cannot be decoded
    store,     ///< its elements cannot be stored again
    half_nan,  ///< masks cannot represent complex numbers of which only one part is NaN or infinite
  };
  kind what = kind::decode;
  failure why{};           ///< for `decode` and `store`
  std::size_t object = 0;  ///< its number in the message
};

/// A `message_upgrade` turns messages of version 2 into messages of version 3. Payloads stay unchanged if version 3
/// reads the same elements from them. All objects are decoded to make sure that they are readable.
class message_upgrade {
 public:
  explicit message_upgrade(upgrade_rules rules) : rules_(std::move(rules)) {}

  /// Upgrades a message, and adds its damage to `mismatches`. Returns why the first object that cannot be upgraded
  /// cannot. Lifetime: the result borrows from the archive, and from this until the next call. Errors: throws
  /// tgmap::error, also for damage that is refused.
  std::optional<upgrade_fault> upgrade(const message&, stored_message& out);

  std::uint64_t reencoded_for_szip() const noexcept { return for_szip_; }        ///< objects with szip of old releases
  std::uint64_t reencoded_for_missing() const noexcept { return for_missing_; }  ///< objects with NaN or infinities

 private:
  stored_object upgrade_object(const message&, std::size_t j, std::vector<failure>& damage);
  stored_object reencode(const object&, const cbor_value& base);
  bool holds_non_finite(const message&, const object&, std::vector<failure>& damage);

  upgrade_rules rules_;
  std::deque<reencoded_object> current_{};  ///< objects of the last message
  std::uint64_t for_szip_ = 0, for_missing_ = 0;
};

}  // namespace tgmap::edit
