// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/write/sink.hpp>
#include <vector>

#include "cli/array_inputs.hpp"
#include "cli/create_message.hpp"
#include "cli/session.hpp"

namespace tgmap::cli {

/// How arrays become the messages that `append` adds: as `create` has it, but no streams.
struct array_messages {
  std::vector<std::string> files;
  array_options arrays{};
  message_plan plan{};
};

/// Puts the messages into memory, so that none is added to an archive before all could be made. False: something could
/// not be taken, which is said. Throws usage_error; complaint of the metadata.
bool make_messages(const array_messages&, const new_metadata&, memory_sink& to, session&);

}  // namespace tgmap::cli
