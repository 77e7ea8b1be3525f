// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/constant/read.hpp>

#include "constant/json/token_source.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {
namespace json {

/// Reads a text. The report is empty before. Throws std::bad_alloc.
tensor_constant read_document(const text_view&, const read_options&, report&, std::size_t window = usual_window);

/// The same, with errors of memory in the report.
tensor_constant read_text(const text_view&, const read_options&, report&, std::size_t window = usual_window) noexcept;

}  // namespace json
}  // namespace constant
}  // namespace v0
}  // namespace tgmap
