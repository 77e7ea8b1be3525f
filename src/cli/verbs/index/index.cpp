// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/index/index.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "cli/app/cli_error.hpp"
#include "cli/input/file_list.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/table.hpp"
#include "core/text/escape.hpp"
#include "edit/output/output_set.hpp"
#include "edit/output/output_sink.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array verbs_of_index{
    verb{"create", "Write the index of archives, beside them", declare_index_create},
    verb{"update", "Add what was appended to archives to their index", declare_index_update},
    verb{"check", "Compare indexes with their archives, message by message", declare_index_check},
    verb{"show", "Show what indexes cover, and if they are used", declare_index_show},
    verb{"drop", "Remove the index of archives", declare_index_drop},
};

}  // namespace

action declare_index(CLI::App& app, session& run) {
  return add_verbs(app, verbs_of_index, run, [](const verb&) { return true; });
}

void add_index_targets(CLI::App& app, session& run, index_targets& into) {
  CLI::Option* const files = app.add_option("FILE", into.files, "Archives")->required()->type_name("");
  add_file_lists(app, *files, into.files);
  app.add_option("--index", into.index, "The index file of the only archive. Default: FILE.tgx")->type_name("PATH");
  app.add_flag_callback(
      "--cache", [&run] { run.index_cache = true; }, "The index in the cache folder, for data folders without writing");
  app.add_flag("-j,--json", into.json, "Print one JSON object per archive, one per line");
}

void for_each_archive(const index_targets& given, session& run,
                      const std::function<void(const std::string& file)>& work) {
  if (std::ranges::count(given.files, "-") != 0)
    throw usage_error("standard input has no place for an index; save it to a file first");
  if (!given.index.empty() && given.files.size() > 1) throw usage_error("--index is the index of one archive");
  if (!given.index.empty() && run.index_cache)
    throw usage_error("--index names a file, and cannot be combined with the cache folder");
  run.index = index_use::none;
  for (const std::string& file : given.files) run.report.guard(file, [&] { work(file); });
}

namespace {

json columns_json(const std::vector<index_column>& columns) {
  json out = json::array();
  for (const index_column& each : columns)
    out.push_back({{"key", each.key},
                   {"values", each.values},
                   {"messages", each.messages},
                   {"bytes", each.bytes},
                   {"describes_objects", each.describes_objects}});
  return out;
}

/// Returns a time in the form of RFC 3339.
std::string time_text(std::uint64_t nanoseconds) {
  return fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(nanoseconds / 1'000'000'000)));
}

}  // namespace

void print_columns(const index_targets& given, const std::vector<index_column>& columns, output& out) {
  if (given.json) return;
  if (columns.empty()) return;
  using side = table::align;
  table rows(out, {{"  key"}, {"values", side::right}, {"messages", side::right}, {"bytes", side::right}});
  for (const index_column& each : columns)
    rows.row({"  " + core::escaped(each.key), std::to_string(each.values), std::to_string(each.messages),
              human_size(each.bytes)});
  rows.finish();
}

std::string find_index(const index_targets& given, const session& run, const std::string& file) {
  if (!run.index_cache) return given.index.empty() ? index_path(file).string() : given.index;
  const archive of(file, {.io = run.io, .index = index_use::none});
  failure why;
  const cached_index found = find_cached_index(of, why);
  if (why) throw_index_error(file, why);
  if (found.path.empty())
    throw cli_error("has no index in the cache folder", "make it with `tgmap index create --cache`");
  return found.path.string();
}

void print_summary(const index_targets& given, session& run, const index_line& line, const index_summary& of) {
  const std::string trust = line.trust ? std::string(to_string_view(*line.trust)) : std::string();
  if (given.json) {
    json out{{"file", line.file}, {"index", line.index}, {"state", line.state}};
    if (line.is_current) out["current"] = *line.is_current;
    if (line.trust) out["trust"] = trust;
    out.update({{"messages", of.messages},
                {"objects", of.objects},
                {"layouts", of.layouts},
                {"gaps", of.gaps},
                {"covered_bytes", of.covered_bytes},
                {"index_bytes", of.index_bytes},
                {"structure", fmt::format("{:016x}", of.structure)},
                {"columns", columns_json(of.columns)}});
    if (!of.made_by.empty()) out.update({{"made_by", of.made_by}, {"made_at", time_text(of.made_at)}});
    if (line.before != nullptr)
      out["added"] = {{"messages", of.messages - line.before->messages},
                      {"objects", of.objects - line.before->objects},
                      {"gaps", of.gaps - line.before->gaps},
                      {"bytes", of.covered_bytes - line.before->covered_bytes}};
    run.out.write(json_line(out));
    return;
  }
  const std::string gaps = of.gaps == 0 ? std::string() : ", " + count_text(of.gaps, "gap");
  run.out.write(fmt::format("{}: {}{}{}: {}, {}, {}{}; {} for {} of the archive\n", core::escaped(line.index),
                            line.state, trust.empty() ? "" : ", ", trust, count_text(of.messages, "message"),
                            count_text(of.objects, "object"), count_text(of.layouts, "layout"), gaps,
                            human_size(of.index_bytes), human_size(of.covered_bytes)));
  if (!of.made_by.empty())
    run.out.write(fmt::format("  made by {} at {}\n", core::escaped(of.made_by), time_text(of.made_at)));
  if (line.before == nullptr) return;
  const std::uint64_t bytes = of.covered_bytes - line.before->covered_bytes;
  run.out.write(bytes == 0 ? "  added: nothing\n"
                           : fmt::format("  added: {}, {}, {} of the archive\n",
                                         count_text(of.messages - line.before->messages, "message"),
                                         count_text(of.objects - line.before->objects, "object"), human_size(bytes)));
}

index_summary write_index(const std::string& index, output_options writing, session& run,
                          const std::function<index_summary(sink&, failure&)>& make) {
  writing.force = true;  // an index is made anew as often as needed
  edit::output_set outputs = outputs_for(writing, run);
  edit::output_sink to(outputs.open(index));
  failure why;
  index_summary made = make(to, why);
  to.throw_if(why);
  to.finish();
  outputs.commit();
  return made;
}

void report_rest(session& run, const std::string& file, const archive& from, const index_summary& made) {
  if (made.gaps > 0) run.report.mark_damaged();
  if (made.covered_bytes < from.size_bytes())
    run.report.hint(fmt::format("{}: its last {} are not in the index: no whole message ends there",
                                core::escaped(file), human_size(from.size_bytes() - made.covered_bytes)));
}

void report_unstamped(session& run, const std::string& file, const index_summary& made) {
  if (made.is_stamped) return;
  run.report.hint(
      fmt::format("{}: its index is not current, since the archive changed meanwhile, its time is in the future "
                  "or fixed, or the index cannot be written; everything is read until `tgmap index check {}`",
                  core::escaped(file), core::escaped(file)));
}

void report_unlisted(session& run, const std::string& file, const archive& from, const index_summary& checked) {
  failure why;
  const std::size_t messages = from.size(why);
  if (why || messages <= checked.messages) return;
  run.report.hint(fmt::format("{}: {} appended later {} not in the index; run `tgmap index update {}`",
                              core::escaped(file), count_text(messages - checked.messages, "message"),
                              messages - checked.messages == 1 ? "is" : "are", core::escaped(file)));
}

index_summary read_summary(const std::string& index) {
  failure why;
  index_summary out = describe_index(index, why);
  if (why) throw_index_error(index, why);
  return out;
}

void throw_index_error(const std::string& index, const failure& why) {
  if (why.code == std::errc::no_such_file_or_directory)
    throw cli_error("there is no index", "make it with `tgmap index create`", index);
  if (why.message || why.code == make_error_code(errc::index_mismatch)) throw error(why);
  throw cli_error(why.text(), next_step(why, index), index);
}

}  // namespace tgmap::cli
