// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/command/verb.hpp"
#include "cli/transform/rewriting.hpp"
#include "edit/message_layout.hpp"
#include "edit/stored_objects.hpp"

namespace tgmap::cli {

namespace {

struct rehash_options {
  rewrite_options where;
  bool remove = false;
};

/// Returns true if all hashes exist, match and are listed; with `remove`, if there are none.
bool is_up_to_date(const message& m, bool remove) {
  const edit::message_layout now(m);
  if (remove) return now.has_no_hashes();
  const bool listed = now.has_hash_list(index_placement::header) || now.has_hash_list(index_placement::footer) ||
                      now.has_hash_list(index_placement::both);
  return listed && now.has_hashes() && now.hashes_match();
}

void run_rehash(const rehash_options& given, session& run) {
  require_whole_messages(given.where);
  const auto make = [&](const message& m, const selected_objects&, stored_message& out) {
    if (is_up_to_date(m, given.remove)) return false;
    out.load(m, on_mismatch::take);
    if (given.remove)
      edit::remove_hashes(out, given.where.damaged);
    else
      edit::renew_hashes(out, given.where.damaged);
    return true;
  };
  rewrite_and_report(given.where, run, make);
}

}  // namespace

action declare_rehash(CLI::App& app, session& run) {
  const auto given = std::make_shared<rehash_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select the messages to change");
  app.add_flag("--remove", given->remove, "Remove hashes");
  add_rewrite_options(app, given->where);
  return [given, &run] { run_rehash(*given, run); };
}

}  // namespace tgmap::cli
