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

void run_rehash(const rehash_options& given, session& run) {
  require_whole_messages(given.where);
  const auto make = [&](const message& m, const selected_objects&, stored_message& out) {
    const edit::message_layout now(m);
    if (given.remove ? now.has_no_hashes() : now.has_current_hashes()) return false;
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
