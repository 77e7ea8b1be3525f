// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/zio/message.hpp>

namespace tgmap::cli {

/// Gives a message memory of its own for what is not in such memory by itself, read where a file that becomes shorter
/// is an error and not the end of the process. `copied`: bytes. Errors: file_shrank. Throws std::bad_alloc.
failure copy_payload(zio::message&, std::uint64_t& copied);

}  // namespace tgmap::cli
