// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <tgmap/decode/codecs.hpp>

#include "codec/decompressor.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::size_t codec_count = 8;

std::array<codec_info, codec_count> all_facts() noexcept {
  std::array<codec_info, codec_count> out;
  std::size_t next = 0;
  for (const auto& each : codec::decompressors()) {
    const bool is_available = each.is_available();
    out[next++] = {.compression = each.which,
                   .name = each.name,
                   .library = each.library,
                   .version = is_available ? each.version() : std::string_view(),
                   .option = each.option,
                   .used_for = each.used_for,
                   .is_available = is_available};
  }
  return out;
}

}  // namespace

std::span<const codec_info> codecs() noexcept {
  static const std::array<codec_info, codec_count> facts = all_facts();
  return facts;
}

const codec_info* find_codec(compression which) noexcept {
  for (const auto& each : codecs())
    if (each.compression == which) return &each;
  return nullptr;
}

}  // namespace v0
}  // namespace tgmap
