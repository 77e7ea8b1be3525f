// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tgmap::cli {

/// What a key of a message to be changed stands for.
struct key_place {
  enum class part : std::uint8_t {
    base,        ///< "mars.step": of every object; in a message without objects message-wide
    one_base,    ///< "base[2].mars.step": of one object
    extra,       ///< "extra.title", "_extra_.title": message-wide
    descriptor,  ///< "objects.2.units": of the descriptor of one object
  };

  std::string text;  ///< all of it, for people
  part in = part::base;
  std::size_t object = 0;
  std::string path{};  ///< inside it

  /// Throws cli_error: nothing may be changed there, for it says how the elements are stored, or who wrote them;
  /// usage_error: it is no key.
  static key_place parse(std::string_view);

  /// Throws usage_error: a key that is made there would have a name that is empty or no UTF-8.
  void check_new() const;

  /// The key with another path at the same place.
  bool same_part(const key_place& as) const noexcept { return in == as.in && object == as.object; }
};

}  // namespace tgmap::cli
