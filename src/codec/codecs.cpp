// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <tgmap/codecs.hpp>

#include "codec/decompressor.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::size_t codec_count = 8;

std::array<codec_facts, codec_count> all_facts() noexcept {
  std::array<codec_facts, codec_count> out;
  std::size_t next = 0;
  for (const auto& each : codec::decompressors())
    out[next++] = {.which = each.which,
                   .name = each.name,
                   .library = each.library,
                   .version = each.version(),
                   .option = each.option,
                   .used_for = each.used_for,
                   .built_in = each.built_in()};
  return out;
}

}  // namespace

std::span<const codec_facts> codecs() noexcept {
  static const std::array<codec_facts, codec_count> facts = all_facts();
  return facts;
}

const codec_facts* find_codec(compression which) noexcept {
  for (const auto& each : codecs())
    if (each.which == which) return &each;
  return nullptr;
}

}  // namespace v0
}  // namespace tgmap
