// SPDX-License-Identifier: Apache-2.0
// Typical texts of tensor constants. They are generated and always the same.
#pragma once

#include <cstdint>
#include <string>

namespace tgmap_bench {

std::string nested_text(std::uint64_t rows, std::uint64_t columns);   ///< 12 bytes a cell
std::string verbose_text(std::uint64_t rows, std::uint64_t columns);  ///< 54 bytes a cell
std::string blocks_text(std::uint64_t blocks, std::uint64_t cells);   ///< `{"label":[1,2,...],...}`
std::string labels_text(std::uint64_t labels);                        ///< `{"label":1,...}`, 24 bytes each
std::string verbose_labels_text(std::uint64_t labels);                ///< 50 bytes a cell, one mapped dimension

}  // namespace tgmap_bench
