// SPDX-License-Identifier: Apache-2.0
// A message taken apart, so that it can be written again with something of it changed.
#pragma once

#include <tgmap/write/new_message.hpp>

namespace tgmap::cli {

/// A message that is to be written again.
using message_parts = stored_message;

/// Makes of an object's whole frame its descriptor and its payload, which are put into a new frame when they are
/// written: one with another descriptor, or with another digest. Throws tgmap::error.
void open_frame(stored_object&);

/// What is to be done about an object whose digest does not match.
enum class damaged_objects : bool { refuse, take };

/// What the digest of an object says. Throws a cli_error when it does not match and is not to be taken all the same.
hash_result check_digest(const object&, damaged_objects);

}  // namespace tgmap::cli
