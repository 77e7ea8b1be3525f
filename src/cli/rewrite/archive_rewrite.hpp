// SPDX-License-Identifier: Apache-2.0
// An archive written again message by message: some are made anew, the others are copied byte for byte.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/input/selection.hpp"
#include "cli/outputs/output_options.hpp"
#include "cli/print/json.hpp"
#include "cli/rewrite/message_parts.hpp"

namespace tgmap::cli {

/// What verbs that rewrite let people say.
struct rewrite_options {
  std::string input, output;
  selection_options chosen;
  output_options outputs;
  bool keep_damage = false;  ///< bytes that belong to no message are copied, too
  bool json = false;

  /// Looks at what was written, of which a descriptor is given, before it gets its name; what it throws is reported and
  /// keeps it from getting there. Not called in a dry run.
  std::function<void(const archive& from, int written)> examine{};
};

/// Declares INPUT and OUTPUT. `numbers` tells what an address behind INPUT does.
void add_input_and_output(CLI::App&, rewrite_options& into, const std::string& numbers);

/// Declares -w, --keep-damage, --json, and what concerns outputs.
void add_rewrite_options(CLI::App&, rewrite_options& into);

/// Throws usage_error: the address names objects, and the verb changes messages whole.
void refuse_objects(const rewrite_options&);

/// Declares --take-damaged.
void add_take_damaged(CLI::App&, damaged_objects& into);

/// What is selected of one message.
struct selected_objects {
  bool whole = false;  ///< the message itself, with all there is in it
  std::vector<std::size_t> numbers{};
};

/// Makes a message anew, or returns false: it stays as it is. Throws tgmap::error, which is reported and ends in no
/// output; cli_error, which also ends the work.
using message_rewriter = std::function<bool(const message&, const selected_objects&, message_parts& out)>;

/// What came of it.
struct rewritten {
  std::uint64_t messages = 0, selected = 0, changed = 0, bytes = 0;
  bool done = false;  ///< the output is there
};

/// Writes `output` from `input`, whose address says, together with -w, which messages are given to `make`. Tells what
/// goes wrong, and of damage. Throws file_error, cli_error, tgmap::error.
rewritten rewrite_archive(const rewrite_options&, session&, const message_rewriter& make,
                          object_lookup = object_lookup::index);

/// What --json tells of it.
json as_json(const rewrite_options&, const rewritten&);

/// The same, and tells of the output: "o.tgm: 6 messages, 2 of them changed, 3936 bytes".
void rewrite_and_tell(const rewrite_options&, session&, const message_rewriter& make,
                      object_lookup = object_lookup::index);

}  // namespace tgmap::cli
