// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/message.hpp>
#include <tgmap/query/selection.hpp>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"
#include "collection/message_walk.hpp"
#include "edit/message_failure.hpp"

namespace tgmap::cli {

using archives::message_callback;
using archives::object_numbers;
using edit::failure_in;

/// Returns how this run opens archives. Lifetime: borrows from the session.
open_options options_for(const session&, object_lookup);

/// Opens the archive of a target. Damage is skipped; verbs report it and go on.
/// Errors: tgmap::error; cli_error for a file of another kind, unless a message is named by its offset.
archive open_archive(const target&, session&, object_lookup = object_lookup::index);

/// Opens any file as an archive, for verbs that report other kinds of files themselves. Says why an index beside it is
/// not used. Errors: tgmap::error.
archive open_any_file(const target&, session&, object_lookup = object_lookup::index);

/// Lets this run open archives without an index, for verbs that say that bytes are sound or equal: what they say must
/// have been read.
void use_no_index(session&) noexcept;

/// Opens the archive behind a file descriptor.
archive open_archive(int descriptor, const session&, object_lookup);

/// Scans the whole archive, with a progress bar. Errors: tgmap::error.
void scan_all(const archive&, const target&, session&);

/// Calls `take` with each message of the target in order, until it returns false, with a progress bar. Scans only as
/// far as needed; messages counted from the end are found from the end. Passes over messages that an index knows not to
/// be selected. Errors: tgmap::error, and those of `take`.
void for_each_message(const archive&, const target&, session&, const message_callback& take,
                      const indexed_selection& known = {});

/// Returns the message of a target. Errors: tgmap::error; usage_error if the target may mean several messages.
message find_message(const archive&, const target&);

/// Returns the object of a target in its message. Errors: like find_message.
object find_object(const message&, const target&);

/// Returns true if the part scanned so far has gaps or an incomplete tail.
bool has_known_damage(const archive&);

/// Reports known damage on standard error and in the exit status.
void report_damage(const archive&, const std::string& file, session&);
void report_damage(const std::string& file, session&);  ///< always reports damage

/// Reports that an incomplete message is left out of an output.
void report_incomplete(const message&, const std::string& file, session&);

/// Returns "message 3", or "the message at offset 4096" if its number is not known.
inline std::string location_text(const message& of) {
  const auto number = of.index();
  return number ? fmt::format("message {}", *number) : fmt::format("the message at offset {}", of.offset());
}

/// Returns "object 1 of message 3".
inline std::string location_text(const message& of, std::size_t object) {
  return fmt::format("object {} of {}", object, location_text(of));
}

/// Returns the message that a target names, or the only message of the archive. `what` and `address` complete the error
/// if there are several: "name WHAT, for example FILE" + `address`.
/// Errors: usage_error if there are several messages; cli_error if there is none; tgmap::error.
message find_one_message(const archive&, const target&, std::string_view what, std::string_view address);

/// An object, its message and its address.
struct one_object {
  tgmap::message message;
  tgmap::object object;
  std::string name;  ///< address: "forecast.tgm:14:0"
};

/// Returns the object that a target names, or the only object of the message.
/// Errors: usage_error, which lists the objects, if there are several; tgmap::error.
one_object find_one_object(const archive&, const target&);

}  // namespace tgmap::cli
