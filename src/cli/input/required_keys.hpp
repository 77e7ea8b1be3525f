// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tgmap/options.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <vector>

#include "cli/input/target.hpp"

namespace tgmap::cli {

struct selection_options;
struct session;

/// Returns the next step for a key that one message lacks, for example "did you mean 'mars.param'?". `near` is the key
/// with the most similar name, or empty.
std::string missing_key_advice(const metadata_key&, const std::string& near, std::string_view file);

/// Returns the same for a key that no message has.
std::string absent_key_advice(const metadata_key&, const std::string& near, std::string_view file);

/// The keys that one option of a command line names.
struct option_keys {
  std::string option;  ///< as in messages, for example "--by"
  std::vector<metadata_key> keys;
  bool of_objects = false;  ///< the keys are also looked up in the objects of selected messages
};

/// Throws usage_error if a key occurs in no selected message or object: "--by: no selected message has the key
/// 'mars.stp'; did you mean 'mars.step'?". The keys of --sort are checked, too.
///
/// Call it before anything is written. It reads messages until all keys are found, which is usually the first one. It
/// throws nothing if nothing is selected or something cannot be read, because the verb reports that. `@message` is not
/// looked for, because messages that were found by their offset have no number.
void require_keys(std::vector<option_keys>, const std::vector<target>&, const selection_options&, session&,
                  object_lookup = object_lookup::index);

/// Returns a hint for each key that none of the first selected messages or objects has. Call it before the work, as
/// `require_keys`, and print the hints after it. Returns nothing under --quiet.
std::vector<std::string> find_absent_keys(const std::vector<metadata_key>&, const std::vector<target>&,
                                          const selection_options&, session&, object_lookup = object_lookup::index);

}  // namespace tgmap::cli
