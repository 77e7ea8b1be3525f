// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/decode/executor.hpp>

#include "collection/key_source.hpp"
#include "collection/selector.hpp"

namespace tgmap::archives {

/// Appends the text of a selected message or object. Called from several threads at once. tgmap::error is a problem of
/// the message. Any other exception ends the visit.
using match_writer = std::function<void(const key_source&, std::string& to)>;

/// Returns why a message, or its object with the given number, must be left out. Called from several threads at once.
using match_check = std::function<failure(const message&, std::optional<std::size_t> object)>;

/// The options of `write_matches`. Lifetime: borrows.
struct match_text_options {
  executor& threads;
  std::span<const metadata_key> keys{};  ///< the only keys that texts have; default: texts may have any keys
  match_check check{};                   ///< what it refuses is a problem of the message
  walk_progress progress = [](std::uint64_t) {};
};

/// Writes the text of each message or object of an archive that is selected, and passes the texts to `take` in order,
/// many at a time. Large archives are divided between threads. An index that has all keys of the texts answers without
/// messages. With `search_purpose::count`, messages that the index selects have no text and are counted.
///
/// `sum` has the counts and problems also after an exception. Errors: throws tgmap::error; the exception of a writer,
/// after all texts before it were taken.
void write_matches(const selector&, const archive&, const match_writer&,
                   const std::function<void(const std::string&)>& take, const match_text_options&, tally& sum);

}  // namespace tgmap::archives
