// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/input/selection.hpp"
#include "collection/key_source.hpp"

namespace tgmap::cli {

using archives::key_source;

/// Appends the text to print for a message or object. Called from several threads at once. A cli_error that it throws
/// ends the run after everything before it was printed.
using line_writer = std::function<void(const target&, const key_source&, std::string& to)>;

/// Returns why a message or object must not be printed; it is reported and left out. Called from several threads at
/// once.
using line_check = std::function<failure(const target&, const message&, std::optional<std::size_t> object)>;

/// Takes whole lines in their order, instead of standard output.
using lines_taker = std::function<void(const std::string&)>;

/// Prints a text for everything that for_each_selected would visit, in the same order. Uses several threads for large
/// archives. If the text has no other keys than `shown`, and a current index has them all, reads no message.
/// Errors: like for_each_selected.
void print_selected(const std::vector<target>&, const selection_options&, session&, const line_writer&,
                    std::span<const metadata_key> shown = {}, const line_check& = {}, const lines_taker& = {});

/// A number of messages or objects.
struct selected_count {
  std::uint64_t count = 0;
  std::optional<index_trust> trust{};  ///< of the index that was used, if one was
};

/// Returns the number of messages or objects that for_each_selected would visit in a whole archive. Reads only those
/// about which the index does not tell. Errors: like for_each_selected.
selected_count count_selected(const target&, const selection_options&, session&);

/// Returns the level of trust of the index of an archive, if it is current.
std::optional<index_trust> used_trust(const archive&);

}  // namespace tgmap::cli
