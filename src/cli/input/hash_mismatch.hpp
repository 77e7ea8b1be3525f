// SPDX-License-Identifier: Apache-2.0
// Stored hashes that are compared: the option, and what is said of them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <tgmap/message.hpp>

#include "cli/app/session.hpp"
#include "edit/hash_check.hpp"

namespace tgmap::cli {

/// Adds --verify. `effect` completes "Compare stored hashes with the bytes".
CLI::Option* add_verify(CLI::App&, bool& into, const std::string& effect);

/// Prints for each file how many objects and messages have no hash.
void report_unverified(const edit::hash_check&, session&);

/// Returns true if the failure is a hash that does not match.
bool is_hash_mismatch(const failure&);

/// Returns the address of the object that a failure in a message concerns, or that of the message.
std::string address_text(const std::string& file, const message&, const failure&);

}  // namespace tgmap::cli
