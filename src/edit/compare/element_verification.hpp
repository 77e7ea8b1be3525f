// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <tgmap/archive.hpp>

namespace tgmap::edit {

/// The first difference between the elements of two archives.
struct verification_fault {
  enum class kind : std::uint8_t {
    objects,    ///< a message has another number of objects
    type,       ///< an object has another dtype or shape
    elements,   ///< elements differ
    missing,    ///< a message of the first archive is not in the second one
    unexpected  ///< a message of the second archive is not in the first one
  };
  kind what = kind::objects;
  tgmap::message message{};  ///< of the first archive; if it is unexpected, of the second one
  std::size_t object = 0;
  std::uint64_t before = 0, after = 0;        ///< numbers of objects
  std::uint64_t differing = 0, elements = 0;  ///< numbers of elements
};

/// The result of verify_elements.
struct verification {
  std::uint64_t equal = 0;  ///< objects
  std::optional<verification_fault> fault{};
};

/// Compares the decoded elements of all objects of two archives, message by message, up to the first difference. Skips
/// incomplete messages, those of version 1, and objects that cannot be decoded in `before`. `progress` receives the
/// number of bytes of `before` that are done. Errors: throws tgmap::error, and what `progress` throws.
verification verify_elements(const archive& before, const archive& after,
                             const std::function<void(std::uint64_t)>& progress);

}  // namespace tgmap::edit
