// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <tgmap/write/pipeline.hpp>

namespace tgmap_test {

/// The calls of a compression library alone, as its documentation says.
struct bare_codec {
  std::function<void()> compress{}, decompress{};  ///< empty without the library
};

/// Returns the calls for a field and its compressed bytes, which must outlive them. szip: samples of 32 bits.
bare_codec bare_codec_of(const tgmap::pipeline&, std::span<const std::byte> raw, std::span<const std::byte> stored);

}  // namespace tgmap_test
