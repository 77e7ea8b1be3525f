// SPDX-License-Identifier: Apache-2.0
#include <xxhash.h>

#include <tgmap/frame.hpp>

namespace tgmap {
inline namespace v0 {

std::uint64_t xxh3(std::span<const std::byte> bytes) noexcept { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace v0
}  // namespace tgmap
