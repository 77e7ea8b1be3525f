// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/writer.hpp>

namespace tgmap::write {

/// Whether they make sense. Errors: invalid_option.
failure check_options(const write_options&) noexcept;

}  // namespace tgmap::write
