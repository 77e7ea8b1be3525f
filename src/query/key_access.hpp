// SPDX-License-Identifier: Apache-2.0
// Gives the library access to the parts of a parsed key.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/query/metadata_key.hpp>

#include "archive/property_names.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

struct key_access {
  /// Returns the property of a key such as `@offset`, which no metadata hides.
  static std::optional<property> only_property(const metadata_key& key) noexcept {
    return key.scope_ == metadata_key::scope::property_only ? key.property_ : std::nullopt;
  }
  /// Returns the extent of `@shape[0]` or `@strides[0]`.
  static std::optional<std::uint64_t> element(const metadata_key& key) noexcept { return key.element_; }

  /// Loads the descriptor of the object once for properties and for its name. What fails does so again in a lookup.
  static void load_descriptor(key_lookup& in) noexcept {
    failure unread;
    static_cast<void>(in.copy_descriptor(unread));
  }

  /// Returns the name in the descriptor of an object, of which no metadata has a name.
  static key_result descriptor_name(key_lookup& in, failure& why) noexcept {
    return in.is_of_message_ && !in.in_object_ && !in.load_summary(why) ? key_result() : in.find_descriptor_name(why);
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
