// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <cstdint>
#include <functional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/message.hpp>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// Opens the archive of a target. Damage is skipped; verbs report it and go on. Errors: tgmap::error.
archive open_archive(const target&, const session&, object_lookup = object_lookup::index);

/// Opens the archive behind a file descriptor.
archive open_archive(int descriptor, const session&, object_lookup);

/// Scans the whole archive, with a progress bar. Errors: tgmap::error.
void scan_all(const archive&, const target&, session&);

/// Calls `take` with each message of the target in order, until it returns false, with a progress bar. Scans only as
/// far as needed; messages counted from the end are found from the end. Errors: tgmap::error, and those of `take`.
void for_each_message(const archive&, const target&, session&, const std::function<bool(const message&)>& take);

/// Returns the message of a target. Errors: tgmap::error; usage_error if the target may mean several messages.
message find_message(const archive&, const target&);

/// Returns the object of a target in its message. Errors: like find_message.
object find_object(const message&, const target&);

/// Returns the range of object numbers that the target means in a message. Errors: tgmap::error.
bounds object_numbers(const message&, const target&);

/// Returns true if the part scanned so far has gaps or an incomplete tail.
bool has_known_damage(const archive&);

/// Reports known damage on standard error and in the exit status.
void report_damage(const archive&, const std::string& file, session&);
void report_damage(const std::string& file, session&);  ///< always reports damage

/// Returns `why` with the number and offset of the message filled in.
failure failure_in(const message&, failure why) noexcept;

/// Returns "message 3", or "the message at offset 4096" if its number is not known.
inline std::string location_text(const message& of) {
  const auto number = of.index();
  return number ? fmt::format("message {}", *number) : fmt::format("the message at offset {}", of.offset());
}

/// Returns "object 1 of message 3".
inline std::string location_text(const message& of, std::size_t object) {
  return fmt::format("object {} of {}", object, location_text(of));
}

}  // namespace tgmap::cli
