// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// An `editable_key` is a metadata key of a message, as users write it to change the message.
struct editable_key {
  enum class part : std::uint8_t {
    base,        ///< "mars.step": in every object; message-wide in a message without objects
    one_base,    ///< "base[2].mars.step": in one object
    extra,       ///< "extra.title", "_extra_.title": message-wide
    descriptor,  ///< "objects.2.units": in the descriptor of one object
  };

  std::string text;  ///< as it was written, for messages
  part in = part::base;
  std::size_t object = 0;
  std::string path{};  ///< within `in`

  /// Parses a key. Errors: throws usage_error if it is not a key; cli_error if the key must not be changed, because it
  /// describes how elements are stored or who wrote the message.
  static editable_key parse(std::string_view);

  /// Throws usage_error if a new key with this name would be empty or not UTF-8.
  void check_new() const;

  /// Returns true if `other` is in the same map, so that one key can be renamed to the other.
  bool same_part(const editable_key& other) const noexcept { return in == other.in && object == other.object; }
};

}  // namespace tgmap::cli
