// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <tgmap/message.hpp>

namespace tgmap::cli {

/// "message 3", or where it lies when its number is not known.
inline std::string place_text(const message& of) {
  const auto number = of.index();
  return number ? fmt::format("message {}", *number) : fmt::format("the message at offset {}", of.offset());
}

/// "object 1 of message 3".
inline std::string place_text(const message& of, std::size_t object) {
  return fmt::format("object {} of {}", object, place_text(of));
}

}  // namespace tgmap::cli
