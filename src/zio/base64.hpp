// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap {
inline namespace v0 {
namespace zio {

/// Bytes as base64 (RFC 4648 §4), padded.
std::string to_base64(std::span<const std::byte>);

/// Back; nothing for text that to_base64 does not give.
std::optional<std::vector<std::byte>> from_base64(std::string_view);

}  // namespace zio
}  // namespace v0
}  // namespace tgmap
