// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/payload_copy.hpp"

#include <cstring>
#include <memory>
#include <tgmap/mapping_guard.hpp>

namespace tgmap::cli {

failure copy_payload(zio::message& m, std::uint64_t& copied) {
  for (zio::part& each : m.payload) {
    const std::size_t size = each.bytes.size();
    if (size == 0) continue;
    const auto own = std::make_shared_for_overwrite<std::byte[]>(size);
    const std::byte* const from = each.bytes.data();
    std::byte* const to = own.get();
    if (failure why = mapping_guard::run([=]() noexcept { std::memcpy(to, from, size); })) return why;
    each = {{to, size}, pin(own)};
    copied += size;
  }
  return {};
}

}  // namespace tgmap::cli
