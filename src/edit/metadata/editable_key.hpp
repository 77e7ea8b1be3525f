// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/tools/metadata_edits.hpp>

namespace tgmap::edit {

/// Returns the failure for an edit. Its text says what is wrong.
failure edit_failure(edit_error, std::uint64_t found = 0) noexcept;

/// An `editable_key` is a metadata key of a message, as users write it to change the message.
struct editable_key {
  enum class part : std::uint8_t {
    base,        ///< "mars.step": in every object; message-wide in a message without objects
    one_base,    ///< "base[2].mars.step": in one object
    extra,       ///< "extra.title", "_extra_.title": message-wide
    descriptor,  ///< "objects.2.units": in the descriptor of one object
  };

  part in = part::base;
  std::size_t object = 0;
  std::string path{};  ///< within `in`

  /// Parses a key. Errors: bad_key (no_key, origin, storage).
  static editable_key parse(std::string_view, failure&);

  /// Parses the key of a new value. Errors: also bad_key (not_utf8, empty_name).
  static editable_key parse_new(std::string_view, failure&);

  /// Returns true if `other` is in the same map, so that one key can be renamed to the other.
  bool same_part(const editable_key& other) const noexcept { return in == other.in && object == other.object; }
};

}  // namespace tgmap::edit
