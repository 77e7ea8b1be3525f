// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tgmap/archive.hpp>

#include "cli/session.hpp"
#include "cli/target.hpp"

namespace tgmap::cli {

/// The archive of a target. Damage is skipped: the verbs show it instead of stopping there. Throws tgmap::error.
archive open_archive(const target&, const session&, object_lookup = object_lookup::index);

/// Finds every message, in slices of the archive between which a person could be told how far it is.
/// Throws tgmap::error.
void scan_all(const archive&);

/// The message that the target names by number or offset. Throws tgmap::error.
message find_message(const archive&, const target&);

/// Object `number` of a message; negative numbers count from the end. Throws tgmap::error.
object find_object(const message&, std::int64_t number);

/// What is known of the archive by now holds gaps or a tail.
bool damage_known(const archive&);

/// `why`, as it concerns that message.
failure concerning(const message&, failure why) noexcept;

}  // namespace tgmap::cli
