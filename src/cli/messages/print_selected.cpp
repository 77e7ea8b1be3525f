// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/print_selected.hpp"

#include <optional>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/hash_mismatch.hpp"
#include "cli/input/selector.hpp"
#include "cli/print/progress.hpp"
#include "collection/match_texts.hpp"

namespace tgmap::cli {

namespace {

/// Writes what is selected in a whole archive and reports it. Returns the error that ended it early, if any.
std::optional<cli_error> write_archive(const target& what, const archive& from, const selector& selected,
                                       const line_writer& write, const line_check& check, const lines_taker& take,
                                       std::span<const metadata_key> shown, tally& sum, session& run) {
  archives::match_text_options how{.threads = run.workers(), .keys = shown};
  if (check) how.check = [&](const message& m, std::optional<std::size_t> object) { return check(what, m, object); };
  const archives::match_writer write_one = [&](const key_source& keys, std::string& to) { write(what, keys, to); };
  std::optional<cli_error> final_error;
  try {
    progress_bar bar(run, what.file, from.size_bytes());
    how.progress = bar.callback();
    archives::write_matches(selected, from, write_one, take, how, sum);
  } catch (const cli_error& why) {
    final_error = why;
  }
  selected.report(what, from, sum, run);
  return final_error;
}

}  // namespace

void print_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                    const line_writer& write, std::span<const metadata_key> shown, const line_check& check,
                    const lines_taker& given_take) {
  const selector selected(chosen);
  const lines_taker take = given_take ? given_take : [&](const std::string& lines) { run.out.write(lines); };
  const bool in_order = chosen.sort.empty() && chosen.limit == UINT64_MAX;
  bool ended = false;
  const auto end_with = [&](const target& t, const cli_error& why) {
    run.report.failed(t.file, why.what(), why.next_step());
    ended = true;
  };
  std::string text;
  const auto one_by_one = [&](const target& t, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    if (const failure why = check ? check(t, m, object) : failure{}) {
      run.report.failed_at(address_text(t.file, m, why), t.file, why);
      return true;
    }
    text.clear();
    try {
      write(t, keys, text);
    } catch (const cli_error& why) {
      end_with(t, why);
      return false;
    }
    take(text);
    return true;
  };
  if (!in_order) return for_each_selected(targets, chosen, run, one_by_one);
  for (const target& t : targets) {
    if (ended) return;
    if (!t.whole_file()) {
      for_each_selected({t}, chosen, run, one_by_one);
      continue;
    }
    run.report.guard(t.file, [&] {
      tally sum;
      if (const auto final_error =
              write_archive(t, open_archive(t, run), selected, write, check, take, shown, sum, run))
        end_with(t, *final_error);
    });
  }
}

std::optional<index_trust> used_trust(const archive& of) {
  const index_status index = of.index_status();
  return index.is_current ? std::optional(index.trust) : std::nullopt;
}

selected_count count_selected(const target& what, const selection_options& chosen, session& run) {
  const archive from = open_archive(what, run);
  tally sum;
  write_archive(
      what, from, selector(chosen, search_purpose::count), [](const target&, const key_source&, std::string&) {}, {},
      [](const std::string&) {}, {}, sum, run);
  return {.count = sum.taken, .trust = used_trust(from)};
}

}  // namespace tgmap::cli
