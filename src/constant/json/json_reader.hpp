// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/read.hpp>

#include "constant/json/token_source.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

/// Reads a JSON text. Tests choose other windows than the default.
tensor_constant read_text(const text_view&, const read_options&, report&, std::size_t window = default_window) noexcept;

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
