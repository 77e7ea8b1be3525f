// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/examine/explain/explain_selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "cli/input/archives.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/input/selector.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/json.hpp"
#include "cli/print/table.hpp"
#include "cli/verbs/examine/explain/print_access.hpp"
#include "core/text/escape.hpp"
#include "reports/access_json.hpp"

namespace tgmap::cli {

using reports::index_coverage;

namespace {

/// Returns what must be read to find the rest.
std::string rest_text(const index_coverage& what, std::string_view kind) {
  if (!what.index.is_current) return fmt::format("every {}", kind);
  std::string out = what.unknown == 0 ? std::string() : count_text(what.unknown, std::string(kind));
  if (what.bytes_after != 0)
    out += fmt::format("{}{} behind the index", out.empty() ? "" : ", and ", human_size(what.bytes_after));
  return out.empty() ? "nothing" : out;
}

void print_facts(const index_coverage& what, const selection& wanted, bool of_objects, output& to) {
  using side = table::align;
  const std::string_view kind = of_objects ? "object" : "message";
  table facts(to, {{"fact", side::left}, {"value", side::left}});
  const auto fact = [&](std::string_view name, const std::string& value) { facts.row({std::string(name), value}); };
  fact("selection", core::escaped(wanted.text()));
  if (what.index.is_current) {
    fact("index file", std::string(to_string_view(what.index.trust)));
    fact("selected", count_text(what.selected, std::string(kind)));
    fact("not selected", count_text(what.not_selected, std::string(kind)));
  } else {
    fact("index file", why_unused(what.index));
  }
  fact("to be read", rest_text(what, kind));
  if (!what.keys_without_column.empty())
    fact("no column", core::escaped(fmt::format("{}", fmt::join(what.keys_without_column, ", "))));
  facts.finish();
}

}  // namespace

void explain_selection(const target& what, const selection& wanted, const selection_options& chosen, bool as_json,
                       session& run) {
  const archive in = open_archive(what, run);
  const indexed_selection known = search_in(what, in, wanted, chosen.objects).known();
  const index_coverage facts(in, known);
  if (as_json)
    run.out.write(json_line(reports::to_json(what.file, facts, wanted.text(), chosen.objects)));
  else
    print_facts(facts, wanted, chosen.objects, run.out);
  selection_outcome::of(run).record_explained({what, in, wanted, known, chosen.clauses, chosen.objects}, run);
}

}  // namespace tgmap::cli
