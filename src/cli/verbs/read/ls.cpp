// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"
#include "cli/messages/message_table.hpp"
#include "cli/messages/shown_key.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/table.hpp"
#include "cli/verbs/read/ls_keys.hpp"
#include "collection/match_sorter.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

struct ls_options {
  std::vector<std::string> files;
  selection_options chosen;
  std::optional<std::string> keys;
  bool json = false, layout = false;
};

using side = table::align;

std::vector<table::column> message_columns() {
  return {{"message", side::right},       {"offset", side::right},  {"length", side::right}, {"version", side::right},
          {"index_location", side::left}, {"objects", side::right}, {"notes", side::left}};
}

std::vector<table::column> object_columns() {
  return {{"message", side::right}, {"object", side::right},  {"name", side::left},    {"dtype", side::left},
          {"shape", side::left},    {"encoding", side::left}, {"filter", side::left},  {"compression", side::left},
          {"masks", side::left},    {"offset", side::right},  {"stored", side::right}, {"notes", side::left}};
}

/// Returns the text of a cell; "-" if the value is not known.
std::string cell(const json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return core::escaped(value.get_ref<const std::string&>());
  if (!value.is_array()) return ascii_json(value);
  std::string out;
  for (const json& element : value) out += (out.empty() ? "" : ", ") + cell(element);
  return "[" + out + "]";
}

/// Prints the rows of one file.
class row_printer {
 public:
  row_printer(const ls_options& given, std::string file, bool objects, output& out)
      : json_(given.json),
        file_(std::move(file)),
        out_(out),
        table_(out, objects ? object_columns() : message_columns()) {
    if (!json_ && !objects && (out.is_terminal() || given.layout)) for_people_.emplace(out, given.layout);
  }

  void add(const listed_row& r, const message& of) {
    if (is_broken(r)) ++broken_;
    if (for_people_) return for_people_->add(r, of);
    add(r);
  }
  /// Prints a row for a gap or an incomplete tail, which has only a position and a cause.
  void add_damage(std::string_view kind, const gap& g) {
    if (json_) return add(damage_row(kind, g));
    if (for_people_) return for_people_->add_damage(kind, g);
    const std::uint64_t bytes = g.end - g.begin;  // "length" of messages, "stored" of objects
    add({{{"message", kind}, {"offset", g.begin}, {"length", bytes}, {"stored", bytes}}, g.cause.text()});
  }

  void finish() {
    if (for_people_) return for_people_->finish();
    if (!json_) table_.finish();
  }

  std::uint64_t broken() const noexcept { return broken_; }

 private:
  void add(const listed_row& r) {
    if (!json_) return table_.row(cells(r));
    json line{{"file", file_}};
    line.update(r.members);
    out_.write(json_line(line));
  }

  std::vector<std::string> cells(const listed_row& r) const {
    std::vector<std::string> out;
    for (const table::column& c : table_.columns()) {
      const auto member = r.members.find(c.name);
      if (c.name == "name" && !r.name.empty())
        out.push_back(r.name);
      else
        out.push_back(member == r.members.end() ? "-" : cell(*member));
    }
    out.back() = core::escaped(r.notes);
    return out;
  }

  bool json_;
  std::string file_;
  output& out_;
  table table_;
  std::optional<message_table> for_people_{};
  std::uint64_t broken_ = 0;
};

/// Lists one target: selects, sorts and limits its rows.
class row_lister {
 public:
  row_lister(const ls_options& given, const selection& wanted, std::uint64_t limit, const target& what, session& run)
      : objects_(given.chosen.objects || what.objects),
        wanted_(wanted),
        clauses_(given.chosen.clauses),
        sorter_(given.chosen.order()),
        left_(limit),
        what_(what),
        run_(run),
        to_(given, what.file, objects_, run.out) {}

  void list() {
    const archive from = open_archive(what_, run_);
    // Gaps are listed in place, which requires a complete scan, but not in a selection or a sorted list.
    const bool with_damage =
        what_.whole_file() && wanted_.selects_all() && !sorter_.has_columns() && left_ == UINT64_MAX;
    if (with_damage) scan_all(from, what_, run_);
    const std::vector<gap> gaps = with_damage ? from.gaps() : std::vector<gap>();
    auto next = gaps.begin();
    const auto add_gaps_before = [&](std::uint64_t offset) {
      for (; next != gaps.end() && next->begin < offset; ++next) to_.add_damage("gap", *next);
    };
    const selection_search search = search_in(what_, from, wanted_, objects_);
    const indexed_selection& known = search.known();
    search_counts counts{.seen = known.count(index_answer::no)};
    const match_receiver take = [&](const search_match& found, const failure& why) { return list(found, why); };
    const auto list_next = [&](const message& m) {
      add_gaps_before(m.offset());
      if (objects_ && m.version() == 1)
        list_without_objects(m);
      else
        selector::visit(what_, m, search, take, counts);
      return left_ != 0;
    };
    for_each_message(from, what_, run_, list_next, known);
    add_gaps_before(UINT64_MAX);
    if (const auto tail = from.incomplete_tail(); tail && with_damage)
      to_.add_damage("incomplete_tail", {tail->begin, tail->end, tail->cause});
    for (const auto& [row, of] : sorter_.take()) print(row, of);
    to_.finish();
    if (to_.broken() != 0)
      run_.report.failed(what_.file, count_text(to_.broken(), "row") + " could not be read completely",
                         "see the notes of these rows");
    const finished_selection done{what_, from, wanted_, known, clauses_, objects_, counts.seen != 0};
    selection_outcome& outcome = selection_outcome::of(run_);
    any_selected_ ? outcome.record_match(done, run_) : outcome.record_empty(done, run_);
    if (with_damage && has_known_damage(from))
      run_.report.mark_damaged();  // the rows show it
    else
      report_damage(from, what_.file, run_);
  }

  std::uint64_t left() const noexcept { return left_; }

 private:
  /// Lists what is selected, or could not be read, with the error. Returns false if no more rows are wanted.
  bool list(const search_match& found, const failure& why) {
    const message& m = found.message;
    failure broken = why;
    if (objects_ && !found.index) {
      list_without_objects(m);
    } else if (objects_ && found.object == nullptr) {
      print(reports::broken_object_row(m, static_cast<std::size_t>(*found.index), broken), m);
    } else {
      listed_row r = objects_ ? reports::object_row(m, *found.object) : reports::message_row(m);
      any_selected_ = true;
      sort_values values;
      if (!broken) values = sorter_.read(*found.keys, broken);
      if (broken) reports::add_failure(r, m, broken);
      if (!sorter_.has_columns() || broken)
        print(r, m);
      else
        sorter_.add(std::move(values), {std::move(r), m});
    }
    return left_ != 0;
  }

  /// Lists a message whose objects cannot be listed. Its notes say why.
  void list_without_objects(const message& m) {
    if (what_.one_object()) static_cast<void>(find_object(m, what_));  // throws, since the object was named
    any_selected_ = true;
    print(reports::message_row(m), m);
  }

  void print(const listed_row& r, const message& of) {
    if (left_ == 0) return;
    --left_;
    to_.add(r, of);
  }

  bool objects_;
  const selection& wanted_;
  const std::vector<std::string>& clauses_;
  archives::match_sorter<std::pair<listed_row, message>> sorter_;
  std::uint64_t left_;
  const target& what_;
  session& run_;
  row_printer to_;
  bool any_selected_ = false;
};

void run_ls(const ls_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  require_keys({}, targets, given.chosen, run);
  if (given.keys) return list_keys(targets, *given.keys, given.json, given.chosen, run);
  const selection wanted = given.chosen.compiled();
  static_cast<void>(given.chosen.order());  // reports a mistake before anything is printed
  std::uint64_t left = given.chosen.limit;
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", core::escaped(t.file)));
    run.report.guard(t.file, [&] {
      row_lister rows(given, wanted, left, t, run);
      rows.list();
      left = rows.left();
    });
  }
}

}  // namespace

action declare_ls(CLI::App& app, session& run) {
  const auto given = std::make_shared<ls_options>();
  add_targets(app, given->files, target_forms);
  add_selection(app, given->chosen);
  const auto keys = app.add_option("-p,--keys", given->keys,
                                   "Show these keys, comma-separated, instead of the usual columns; KEY:i, KEY:d and "
                                   "KEY:s set the type")
                        ->type_name("KEYS");
  app.add_flag("-l,--layout", given->layout, "Also show offsets, lengths, versions and indexes of messages")
      ->excludes(keys);
  app.add_flag("--objects", given->chosen.objects, "List objects instead of messages");
  app.add_flag("-j,--json", given->json, "Print one JSON object per row, one per line");
  add_typed(app);
  return [given, &run] { run_ls(*given, run); };
}

}  // namespace tgmap::cli
