// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/session.hpp"
#include "cli/target.hpp"

namespace tgmap::cli {

/// Does what the parsed command line asks for. What went wrong with files is in the session's report afterwards;
/// throws usage_error when the arguments make no sense together.
using action = std::function<void()>;

/// One verb: a row of the table in verb.cpp and a file of its own.
struct verb {
  const char* name;
  const char* summary;                     ///< empty: hidden, being for other programs
  action (*declare)(CLI::App&, session&);  ///< adds its options; the action is called once they are parsed
  bool knows_others = false;               ///< shows the options of other verbs
};

/// Whether a verb shall have its options.
using verb_chooser = std::function<bool(const verb&)>;

std::span<const verb> verbs();

/// Adds verbs below the command, or below another verb, with the options that all have; one of them must be given.
/// Those that are not needed are there by name. The action is that of the one that was given.
action add_verbs(CLI::App& below, std::span<const verb>, session&, const verb_chooser& needed);

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
action declare_upgrade(CLI::App&, session&);
action declare_convert(CLI::App&, session&);
action declare_diff(CLI::App&, session&);
action declare_dump(CLI::App&, session&);
action declare_du(CLI::App&, session&);
action declare_validate(CLI::App&, session&);
action declare_explain(CLI::App&, session&);
action declare_doctor(CLI::App&, session&);
action declare_tens(CLI::App&, session&);
action declare_constant(CLI::App&, session&);
action declare_completion(CLI::App&, session&);
action declare_complete(CLI::App&, session&);
action declare_help(CLI::App&, session&);

/// The arguments that are no options: targets, with what each may be. `needed`: one at least. The reference
/// implementation takes none for some verbs, as scripts over an empty list of files do.
void add_targets(CLI::App&, std::vector<std::string>& into, const std::string& forms, bool needed = true);

/// What most verbs take.
inline constexpr const char* target_forms =
    "FILE, FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT; numbers may be ranges such as 2..5 or "
    "-3..";

/// All targets, read before any is opened: a usage error in the last one must not come after the first one's output.
std::vector<target> parse_targets(const std::vector<std::string>&);

/// The same where messages are taken whole: none names objects.
std::vector<target> whole_messages(const std::vector<std::string>&);

}  // namespace tgmap::cli
