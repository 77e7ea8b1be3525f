// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>

#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Runs a verb with its parsed options. Problems with files go to the session's report.
/// Errors: usage_error if the arguments contradict each other.
using action = std::function<void()>;

/// A verb of the command: a row of the table in verb.cpp, and a file in verbs/.
struct verb {
  const char* name;
  const char* summary;                     ///< empty: hidden, called by completion scripts only
  action (*declare)(CLI::App&, session&);  ///< adds the options; the returned action runs after parsing
  bool needs_all_verbs = false;            ///< prints options of other verbs, so all must be declared
};

/// Returns true if the options of a verb are to be declared.
using verb_filter = std::function<bool(const verb&)>;

std::span<const verb> verbs();

/// Adds verbs below the command or below another verb, with the common options. Verbs that are not needed get no
/// options. The returned action runs the verb that was given; one is required.
action add_verbs(CLI::App& below, std::span<const verb>, session&, const verb_filter& needed);

action declare_info(CLI::App&, session&);
action declare_ls(CLI::App&, session&);
action declare_get(CLI::App&, session&);
action declare_count(CLI::App&, session&);
action declare_stats(CLI::App&, session&);
action declare_show(CLI::App&, session&);
action declare_extract(CLI::App&, session&);
action declare_create(CLI::App&, session&);
action declare_copy(CLI::App&, session&);
action declare_split(CLI::App&, session&);
action declare_set(CLI::App&, session&);
action declare_rehash(CLI::App&, session&);
action declare_reindex(CLI::App&, session&);
action declare_reshuffle(CLI::App&, session&);
action declare_merge(CLI::App&, session&);
action declare_append(CLI::App&, session&);
action declare_send(CLI::App&, session&);
action declare_recv(CLI::App&, session&);
action declare_index(CLI::App&, session&);
action declare_upgrade(CLI::App&, session&);
action declare_convert(CLI::App&, session&);
action declare_diff(CLI::App&, session&);
action declare_dump(CLI::App&, session&);
action declare_du(CLI::App&, session&);
action declare_validate(CLI::App&, session&);
action declare_explain(CLI::App&, session&);
action declare_cube(CLI::App&, session&);
action declare_doctor(CLI::App&, session&);
action declare_import(CLI::App&, session&);
action declare_export(CLI::App&, session&);
action declare_tens(CLI::App&, session&);
action declare_constant(CLI::App&, session&);
action declare_completion(CLI::App&, session&);
action declare_complete(CLI::App&, session&);
action declare_help(CLI::App&, session&);

}  // namespace tgmap::cli
