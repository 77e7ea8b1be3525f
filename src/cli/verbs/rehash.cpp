// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "cli/app/verb.hpp"
#include "cli/rewrite/archive_rewrite.hpp"
#include "cli/rewrite/arrangement.hpp"
#include "cli/rewrite/digests.hpp"

namespace tgmap::cli {

namespace {

struct rehash_options {
  rewrite_options where;
  bool remove = false;
  damaged_objects damaged = damaged_objects::refuse;
};

/// Returns true if all hashes exist, match and are listed; with `remove`, if there are none.
bool nothing_to_do(const message& m, bool remove) {
  const arrangement now(m);
  if (remove) return now.free_of_digests();
  const bool listed = now.has_hash_list(index_placement::header) || now.has_hash_list(index_placement::footer);
  return listed && now.has_digests() && now.digests_match();
}

void run_rehash(const rehash_options& given, session& run) {
  refuse_objects(given.where);
  const auto make = [&](const message& m, const selected_objects&, message_parts& out) {
    if (nothing_to_do(m, given.remove)) return false;
    out.load(m);
    if (given.remove)
      remove_digests(out, given.damaged);
    else
      renew_digests(out, given.damaged);
    return true;
  };
  rewrite_and_tell(given.where, run, make);
}

}  // namespace

action declare_rehash(CLI::App& app, session& run) {
  const auto given = std::make_shared<rehash_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select the messages to change");
  app.add_flag("--remove", given->remove, "Remove hashes");
  add_rewrite_options(app, given->where);
  add_take_damaged(app, given->damaged);
  return [given, &run] { run_rehash(*given, run); };
}

}  // namespace tgmap::cli
