// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/sink.hpp>

namespace tgmap {
inline namespace v0 {

sink::~sink() = default;

failure sink::overwrite(std::uint64_t, std::span<const std::byte>) noexcept { return {.code = errc::cannot_overwrite}; }

failure sink::rollback(std::uint64_t) noexcept { return {.code = errc::cannot_overwrite}; }

}  // namespace v0
}  // namespace tgmap
