// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

/// Gives digests to objects that have none; the others stay as they are, right or wrong.
/// What is written of the message will have digests everywhere, listed where they were, else where the index is.
/// Throws tgmap::error.
void add_digests(message_parts&);

/// Gives every object the digest that is right. Throws a cli_error for one whose digest does not match, unless it is to
/// be taken; tgmap::error.
void renew_digests(message_parts&, damaged_objects);

/// Takes digests away. Throws as renew_digests.
void remove_digests(message_parts&, damaged_objects);

}  // namespace tgmap::cli
