// SPDX-License-Identifier: Apache-2.0
#include <tgmap/sink.hpp>

namespace tgmap {
inline namespace v0 {

sink::~sink() = default;

failure sink::patch(std::uint64_t, std::span<const std::byte>) noexcept { return {.code = errc::cannot_patch}; }

failure sink::take_back(std::uint64_t) noexcept { return {.code = errc::cannot_patch}; }

}  // namespace v0
}  // namespace tgmap
