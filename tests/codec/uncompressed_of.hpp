// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/descriptor.hpp>
#include <tgmap/write/pipeline.hpp>

#include "codec/compressor.hpp"

namespace tgmap_test {

/// What a writer with that pipeline tells a compressor of its bytes.
tgmap::codec::uncompressed uncompressed_of(const tgmap::descriptor&, const tgmap::pipeline&,
                                           std::span<const std::byte>);

}  // namespace tgmap_test
