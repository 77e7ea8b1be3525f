// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <tgmap/enum_names.hpp>

#include "cli/command/verb.hpp"
#include "cli/transform/rewriting.hpp"
#include "edit/message_layout.hpp"

namespace tgmap::cli {

namespace {

struct reindex_options {
  rewrite_options where;
  std::string index;
};

void run_reindex(const reindex_options& given, session& run) {
  require_whole_messages(given.where);
  const index_placement index = from_string<index_placement>(given.index).value();  // checked by the option
  const auto make = [&](const message& m, const selected_objects&, stored_message& out) {
    if (!m.is_streamed() && edit::message_layout(m).has_index(index)) return false;
    out.load(m, on_mismatch::take);
    out.options.index = index;
    return true;
  };
  // Ignores existing indexes, so that a wrong one is corrected.
  rewrite_and_report(given.where, run, make, object_lookup::walk);
}

}  // namespace

action declare_reindex(CLI::App& app, session& run) {
  const auto given = std::make_shared<reindex_options>();
  add_input_and_output(app, given->where, "its numbers, like -w, select the messages to change");
  app.add_option("--index", given->index, "Where to put the index: header (fastest to read), footer or none")
      ->required()
      ->check(CLI::IsMember({"header", "footer", "none"}))
      ->type_name("WHERE");
  add_rewrite_options(app, given->where);
  return [given, &run] { run_reindex(*given, run); };
}

}  // namespace tgmap::cli
