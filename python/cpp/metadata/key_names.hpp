// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cpp/interpreter/python.hpp"

namespace tgmap_python {

/// Keys of metadata as str, remembered: messages of an archive have the same keys, and making and hashing a str takes
/// longer than finding it. Keeps at most 256 of at most 31 bytes.
class key_names {
 public:
  /// Returns a key as text_of() does.
  nb::object of(std::string_view key);

 private:
  struct entry {
    nb::object name;
    std::uint8_t size;
    std::array<char, 31> key;
  };

  std::array<entry, 256> entries_{};
  nb::ft_mutex mutex_;  // of builds of Python without a global lock
};

}  // namespace tgmap_python
