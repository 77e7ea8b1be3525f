// SPDX-License-Identifier: Apache-2.0
// What verbs work on: which messages or objects of the targets, and which of their keys.
#pragma once

#include <functional>
#include <string>
#include <tgmap/where.hpp>
#include <vector>

#include "cli/verb.hpp"

namespace tgmap::cli {

/// -w, --where-plain and --objects.
struct selection {
  std::vector<std::string> clauses;
  bool plain = false;
  bool objects = false;

  /// All clauses together. Throws usage_error that tells where one cannot be read.
  where compiled() const;
};

void add_selection(CLI::App&, selection& into);

/// The keys between the commas of -p, trimmed; an empty one is never found. Throws usage_error.
std::vector<key> parse_keys(const std::string&);

/// Takes what is selected, one after another; false: no more is wanted.
using taker = std::function<bool(const message&, key_scope&)>;

/// Gives every message of the target that is selected, or every object, in the order of the file. What cannot be read
/// is reported and passed over; where nothing at all is selected for want of a key, a key that is spelled like it is
/// named.
void for_each_selected(const target&, const where&, bool objects, session&, const taker&,
                       object_lookup = object_lookup::index);

/// "did you mean 'mars.param'?", or what else to do about a key that is not there.
std::string advice_on_key(const key&, key_scope&, std::string_view file);

}  // namespace tgmap::cli
