// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/archives.hpp"
#include "cli/escape.hpp"
#include "cli/human.hpp"
#include "cli/key_row.hpp"
#include "cli/ls_keys.hpp"
#include "cli/rows.hpp"
#include "cli/selection.hpp"
#include "cli/table.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct ls_options {
  std::vector<std::string> files;
  selection_options chosen;
  std::optional<std::string> keys;
  bool json = false, typed = false;
};

using side = table::align;

std::vector<table::column> message_columns() {
  return {{"message", side::right},       {"offset", side::right},  {"length", side::right}, {"version", side::right},
          {"index_location", side::left}, {"objects", side::right}, {"notes", side::left}};
}

std::vector<table::column> object_columns() {
  return {{"message", side::right}, {"object", side::right}, {"dtype", side::left},       {"shape", side::left},
          {"encoding", side::left}, {"filter", side::left},  {"compression", side::left}, {"masks", side::left},
          {"offset", side::right},  {"stored", side::right}, {"notes", side::left}};
}

/// A member as people read it; "-" for what is not known.
std::string cell(const json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return escaped(value.get_ref<const std::string&>());
  if (!value.is_array()) return value.dump();
  std::string out;
  for (const json& element : value) out += (out.empty() ? "" : ", ") + cell(element);
  return "[" + out + "]";
}

/// Takes the rows of one file in order and prints them.
class listing {
 public:
  listing(const ls_options& given, std::string file, bool objects, output& out)
      : json_(given.json),
        file_(std::move(file)),
        out_(out),
        table_(out, objects ? object_columns() : message_columns()) {}

  void add(const row& r) {
    if (is_broken(r)) ++broken_;
    if (!json_) return table_.row(cells(r));
    json line{{"file", file_}};
    line.update(r.members);
    out_.write(json_line(line));
  }

  /// A gap or a tail: a row in place, which has only a place and a reason.
  void add_damage(std::string_view kind, const gap& g) {
    if (json_) return add(damage_row(kind, g));
    const std::uint64_t bytes = g.end - g.begin;  // under the name that either table gives them
    add({{{"message", kind}, {"offset", g.begin}, {"length", bytes}, {"stored", bytes}}, g.cause.text()});
  }

  void finish() {
    if (!json_) table_.finish();
  }

  std::uint64_t broken() const noexcept { return broken_; }

 private:
  std::vector<std::string> cells(const row& r) const {
    std::vector<std::string> out;
    for (const table::column& c : table_.columns()) {
      const auto member = r.members.find(c.name);
      out.push_back(member == r.members.end() ? "-" : cell(*member));
    }
    out.back() = escaped(r.notes);
    return out;
  }

  bool json_;
  std::string file_;
  output& out_;
  table table_;
  std::uint64_t broken_ = 0;
};

/// The rows of one target, on their way to the listing.
class rows_of {
 public:
  rows_of(const ls_options& given, const selection& wanted, sort_reader& order, std::uint64_t limit, const target& what,
          session& run)
      : objects_(given.chosen.objects || what.objects),
        wanted_(wanted),
        order_(order),
        left_(limit),
        what_(what),
        run_(run),
        to_(given, what.file, objects_, run.out) {}

  void list() {
    const archive from = open_archive(what_, run_);
    // Gaps show in their places, which takes a scan to its end, where no selection and no order leaves them out.
    const bool with_damage =
        what_.whole_file() && wanted_.selects_all() && order_.keys().empty() && left_ == UINT64_MAX;
    if (with_damage) scan_all(from, what_, run_);
    const std::vector<gap> gaps = with_damage ? from.gaps() : std::vector<gap>();
    auto next = gaps.begin();
    const auto add_gaps_before = [&](std::uint64_t offset) {
      for (; next != gaps.end() && next->begin < offset; ++next) to_.add_damage("gap", *next);
    };
    for_each_message(from, what_, run_, [&](const message& m) {
      add_gaps_before(m.offset());
      list_message(m);
      return left_ != 0;
    });
    add_gaps_before(UINT64_MAX);
    if (const auto tail = from.incomplete_tail(); tail && with_damage)
      to_.add_damage("incomplete_tail", {tail->begin, tail->end, tail->cause});
    add_sorted();
    to_.finish();
    if (to_.broken() != 0)
      run_.report.failed(what_.file, counted(to_.broken(), "row") + " could not be read whole",
                         "see what the rows say, and take the file again from where it came");
    if (with_damage && damage_known(from))
      run_.report.damaged();  // its rows tell
    else
      tell_of_damage(from, what_.file, run_);
  }

  std::uint64_t left() const noexcept { return left_; }

 private:
  struct kept {
    sort_values values;
    row is;
  };

  void list_message(const message& m) {
    if (objects_) return list_objects(m);
    row r = message_row(m);
    add(std::move(r), key_lookup(m), m);
  }

  void list_objects(const message& m) {
    if (what_.one_object()) return list_object(m, find_object(m, what_));
    failure why;
    const std::size_t count = m.size(why);
    if (why || m.version() == 1) return give(message_row(m));  // says why there is nothing to list
    const bounds which = what_.objects ? within(*what_.objects, count) : bounds{0, count};
    for (auto j = static_cast<std::size_t>(which.begin); j < which.end && left_ != 0; ++j) {
      const object o = m.at(j, why);
      if (why)
        give(broken_object_row(m, j, why));
      else
        list_object(m, o);
    }
  }

  void list_object(const message& m, const object& o) { add(object_row(m, o), key_lookup(m, o), m); }

  /// A row that cannot be asked whether it is wanted is, and says why.
  void add(row&& r, key_lookup&& in, const message& m) {
    failure why;
    const bool selected = wanted_.matches(in, why);
    if (why) add_failure(r, m, why);
    if (!selected && !why) return;
    if (order_.keys().empty() || why) return give(r);
    try {
      kept_.push_back({order_.read(in), std::move(r)});
    } catch (const error& unreadable) {
      add_failure(r, m, unreadable.details());
      give(r);
    }
  }

  void add_sorted() {
    const auto before = [&](const kept& a, const kept& b) { return comes_before(order_.keys(), a.values, b.values); };
    std::stable_sort(kept_.begin(), kept_.end(), before);
    for (const kept& each : kept_) give(each.is);
  }

  void give(const row& r) {
    if (left_ == 0) return;
    --left_;
    to_.add(r);
  }

  bool objects_;
  const selection& wanted_;
  sort_reader& order_;
  std::uint64_t left_;
  const target& what_;
  session& run_;
  listing to_;
  std::vector<kept> kept_;
};

void run_ls(const ls_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  if (given.keys) return list_keys(targets, {*given.keys, given.json, given.typed}, given.chosen, run);
  const selection wanted = given.chosen.compiled();
  sort_reader order(parse_sort(given.chosen.sort));
  std::uint64_t left = given.chosen.limit;
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", escaped(t.file)));
    run.report.guard(t.file, [&] {
      rows_of rows(given, wanted, order, left, t, run);
      rows.list();
      left = rows.left();
    });
  }
}

}  // namespace

action declare_ls(CLI::App& app, session& run) {
  const auto given = std::make_shared<ls_options>();
  add_targets(app, given->files, target_forms, false);
  add_selection(app, given->chosen);
  app.add_option("-p,--keys", given->keys, "Show these keys, between commas, instead of the usual columns")
      ->type_name("KEYS");
  app.add_flag("--objects", given->chosen.objects, "A row for each object instead of each message");
  app.add_flag("-j,--json", given->json, "One JSON object a row, each on a line");
  add_typed(app, given->typed);
  return [given, &run] { run_ls(*given, run); };
}

}  // namespace tgmap::cli
