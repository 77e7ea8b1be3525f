// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tgmap/cbor_view.hpp>

namespace tgmap::codec {

/// A `named_entries` holds the entries of a map under given names. One pass finds them all: maps may contain a table of
/// thousands of numbers, which each pass has to skip. The last entry of a repeated name counts, as in cbor_view::find.
template <std::size_t N>
class named_entries {
 public:
  named_entries(const cbor_view& map, const std::array<std::string_view, N>& names) noexcept {
    map.visit([&](const cbor_view& key, const cbor_view& item) {
      const auto name = key.get<std::string_view>();
      for (std::size_t i = 0; name && i < N; ++i)
        if (*name == names[i]) found_[i] = item;
      return true;
    });
  }

  const std::optional<cbor_view>& operator[](std::size_t i) const noexcept { return found_[i]; }

  /// Returns the entry as a `T`, or nothing if it is absent or of another type.
  template <class T>
  std::optional<T> get(std::size_t i) const noexcept {
    return found_[i] ? found_[i]->template get<T>() : std::nullopt;
  }

 private:
  std::array<std::optional<cbor_view>, N> found_{};
};

}  // namespace tgmap::codec
