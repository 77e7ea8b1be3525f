// SPDX-License-Identifier: Apache-2.0
// Compiled with TGMAP_HAS_… as 0 or 1, like the registry of the library.
#include "codecs/bare_codec.hpp"

#include <algorithm>
#include <vector>

namespace tgmap_bench {

std::span<const bare_codec* const> bare_codecs() {
  static const std::vector<const bare_codec*> all = [] {
    std::vector<const bare_codec*> out;
    if constexpr (TGMAP_HAS_SZIP) out.push_back(&szip_codec);
    if constexpr (TGMAP_HAS_ZSTD) out.push_back(&zstd_codec);
    if constexpr (TGMAP_HAS_LZ4) out.push_back(&lz4_codec);
    if constexpr (TGMAP_HAS_BLOSC2) out.push_back(&blosc2_codec);
    if constexpr (TGMAP_HAS_ZFP) out.insert(out.end(), {&zfp_rate_codec, &zfp_accuracy_codec});
    if constexpr (TGMAP_HAS_SZ3) out.push_back(&sz3_codec);
    return out;
  }();
  return all;
}

const bare_codec* find_bare_codec(std::string_view name) {
  const auto all = bare_codecs();
  const auto at = std::ranges::find(all, name, &bare_codec::name);
  return at == all.end() ? nullptr : *at;
}

bool has_roaring() { return TGMAP_HAS_ROARING != 0; }

#if !TGMAP_HAS_ZSTD
bare_call zstd_encoding(std::span<const std::byte>, int) { return {}; }
#endif

#if !TGMAP_HAS_ROARING
octets roaring_blob(std::span<const std::byte>) { return {}; }
#endif

}  // namespace tgmap_bench
