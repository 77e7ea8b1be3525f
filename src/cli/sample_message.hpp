// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace tgmap::cli {

inline constexpr int sample_version = 3;                          ///< wire version of the sample
inline constexpr std::array<float, 4> sample_values{1, 2, 3, 4};  ///< its only object

/// A small message, for testing an installation without any file. Its digests were computed by another program, so
/// that hashing is tested against something.
std::vector<std::byte> sample_message();

}  // namespace tgmap::cli
