// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <tgmap/tools/rewrite.hpp>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "cli/input/selection.hpp"
#include "cli/output/output_options.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

/// The options of verbs that rewrite an archive.
struct rewrite_options {
  std::string input, output;
  selection_options chosen;
  output_options outputs;
  bool narrows = false;      ///< -w also chooses among the objects of a message
  bool keep_damage = false;  ///< copy bytes that belong to no message, too
  bool json = false;
  on_mismatch damaged = on_mismatch::refuse;  ///< content whose hash does not match, in messages that change

  /// Checks the complete output through its descriptor before it gets its name. An exception is reported and keeps the
  /// output from appearing. Not called in a dry run.
  std::function<void(const archive& from, int written)> verify_output{};
};

/// Adds INPUT and OUTPUT. `numbers` describes the effect of an address in INPUT.
void add_input_and_output(CLI::App&, rewrite_options& into, const std::string& numbers);

/// Adds -w, --keep-damage, --take-damaged, --json and the options of outputs. `take_damaged` describes that option if
/// it does more than usual.
void add_rewrite_options(CLI::App&, rewrite_options& into, const std::string& take_damaged = {});

/// Throws usage_error if the address of INPUT names objects.
void require_whole_messages(const rewrite_options&);

/// The selected parts of one message.
struct selected_objects {
  bool whole = false;  ///< the message itself with all its objects
  std::vector<std::size_t> numbers{};
};

/// Builds the new form of a message, or returns false to keep the message as it is. Loads the message with
/// `on_mismatch::take`, and adds other damage to `out.mismatches`; what it holds is treated by
/// `rewrite_options::damaged` if the message changes. Errors: a tgmap::error is reported, the other messages are still
/// checked, and no output is written; a cli_error ends the work at once.
using message_rewriter = std::function<bool(const message&, const selected_objects&, stored_message& out)>;

/// Writes `output` from `input`. Passes the messages selected by the address and -w to `rewrite` and copies the others
/// byte for byte. Reports errors and damage, and returns nothing if the output was not written.
std::optional<rewrite_result> rewrite_archive(const rewrite_options&, session&, const message_rewriter& rewrite,
                                              object_lookup = object_lookup::index);

/// Returns the JSON form of a result.
json as_json(const rewrite_options&, const rewrite_result&);

/// Rewrites an archive and reports the output: "o.tgm: 6 messages, 2 of them changed, 3936 bytes".
void rewrite_and_report(const rewrite_options&, session&, const message_rewriter& rewrite,
                        object_lookup = object_lookup::index);

}  // namespace tgmap::cli
