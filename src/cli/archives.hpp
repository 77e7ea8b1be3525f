// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <tgmap/archive.hpp>

#include "cli/session.hpp"
#include "cli/target.hpp"

namespace tgmap::cli {

/// The archive of a target. Damage is skipped: the verbs show it instead of stopping there. Throws tgmap::error.
archive open_archive(const target&, const session&, object_lookup = object_lookup::index);

/// The same of what a descriptor names.
archive open_archive(int descriptor, const session&, object_lookup);

/// Finds every message; a bar tells how far it is. Throws tgmap::error.
void scan_all(const archive&, const target&, session&);

/// Calls `take` with each message that the target means, in order, until it returns false; a bar tells how far it is.
/// Scans no further than it must: the last ones are found from the end. Throws tgmap::error, and what `take` throws.
void for_each_message(const archive&, const target&, session&, const std::function<bool(const message&)>& take);

/// The one message that the target means. Throws tgmap::error; usage_error when it may mean several.
message find_message(const archive&, const target&);

/// The one object of the message that the target means. Throws as find_message.
object find_object(const message&, const target&);

/// The numbers of the objects of the message that the target means. Throws tgmap::error.
bounds object_numbers(const message&, const target&);

/// What is known of the archive by now holds gaps or a tail.
bool damage_known(const archive&);

/// Says so on standard error, and in the exit status, when damage is known.
void tell_of_damage(const archive&, const std::string& file, session&);
void tell_of_damage(const std::string& file, session&);  ///< where it is known that there is some

/// `why`, as it concerns that message.
failure concerning(const message&, failure why) noexcept;

}  // namespace tgmap::cli
