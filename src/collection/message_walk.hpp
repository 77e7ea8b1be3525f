// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <tgmap/tools/address.hpp>

namespace tgmap::archives {

/// Receives a message. Returns false to stop.
using message_callback = std::function<bool(const message&)>;

/// Receives the number of archive bytes that are done, from time to time.
using walk_progress = std::function<void(std::uint64_t done_bytes)>;

/// Returns the message of an address that names one. Errors: out_of_range; those of archive::at and archive::at_offset.
message find_message(const archive&, const archive_address&, failure&);

/// Returns the number of a message, "14", or "@1234" if only its offset is known.
std::string message_label(const message&);

/// Returns the range of message numbers that the address means; all of them if it names an offset. Completes the scan
/// if numbers count from the end. Errors: throws tgmap::error, and what `done` throws.
number_bounds message_numbers(
    const archive&, const archive_address&, const walk_progress& done = [](std::uint64_t) {});

/// Returns the range of object numbers that the address means in a message. Errors: throws tgmap::error.
number_bounds object_numbers(const message&, const archive_address&);

/// Scans the whole archive. Errors: throws tgmap::error.
void scan_all(const archive&, const walk_progress&);

/// Calls `take` with each message of the address in order, until it returns false. Scans only as far as needed;
/// messages counted from the end are found from the end. Passes over messages that an index knows not to be selected.
/// Errors: throws tgmap::error, and those of `take`.
void for_each_message(
    const archive&, const archive_address&, const message_callback& take, const indexed_selection& known = {},
    const walk_progress& = [](std::uint64_t) {});

}  // namespace tgmap::archives
