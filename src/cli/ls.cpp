// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/archives.hpp"
#include "cli/escape.hpp"
#include "cli/human.hpp"
#include "cli/ls_keys.hpp"
#include "cli/rows.hpp"
#include "cli/selection.hpp"
#include "cli/table.hpp"
#include "cli/verb.hpp"

namespace tgmap::cli {

namespace {

struct options {
  std::vector<std::string> files;
  selection chosen;
  std::optional<std::string> keys;
  bool json = false;
};

using side = table::align;

std::vector<table::column> message_columns() {
  return {{"message", side::right}, {"offset", side::right},  {"length", side::right}, {"version", side::right},
          {"layout", side::left},   {"objects", side::right}, {"notes", side::left}};
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
  listing(const options& given, std::string file, bool objects, output& out)
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
    add({{{"message", kind}, {"offset", g.begin}, {"length", bytes}, {"stored", bytes}}, g.reason.text()});
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

/// Whether a row is wanted; one that cannot be asked is, and its row says why.
bool is_wanted(const where& wanted, key_scope&& in, row& of, const message& m) {
  failure why;
  const bool selected = wanted.matches(in, why);
  if (why) add_failure(of, m, why);
  return selected || why;
}

void list_object(const message& m, const object& o, const where& wanted, listing& to) {
  row r = object_row(m, o);
  if (is_wanted(wanted, key_scope(m, o), r, m)) to.add(r);
}

void list_objects(const message& m, const where& wanted, listing& to) {
  failure why;
  const std::size_t count = m.size(why);
  if (why || m.version() == 1) return to.add(message_row(m));  // says why there is nothing to list
  for (std::size_t j = 0; j < count; ++j) {
    const object o = m.at(j, why);
    if (why)
      to.add(broken_object_row(m, j, why));
    else
      list_object(m, o, wanted, to);
  }
}

void list_message(const message& m, bool objects, const where& wanted, listing& to) {
  if (objects) return list_objects(m, wanted, to);
  row r = message_row(m);
  if (is_wanted(wanted, key_scope(m), r, m)) to.add(r);
}

void list_all(const archive& from, bool objects, const where& wanted, listing& to) {
  scan_all(from);
  const std::vector<gap> gaps = wanted.everything() ? from.gaps() : std::vector<gap>();
  auto next = gaps.begin();
  const auto add_gaps_before = [&](std::uint64_t offset) {
    for (; next != gaps.end() && next->begin < offset; ++next) to.add_damage("gap", *next);
  };
  for (const message& m : from) {
    add_gaps_before(m.offset());
    list_message(m, objects, wanted, to);
  }
  if (!wanted.everything()) return;
  add_gaps_before(UINT64_MAX);
  if (const auto tail = from.tail()) to.add_damage("tail", {tail->begin, tail->end, tail->reason});
}

void list_target(const options& given, const where& wanted, const target& what, session& run) {
  const archive from = open_archive(what, run);
  listing to(given, what.file, given.chosen.objects || what.object, run.out);
  if (what.whole_file()) {
    list_all(from, given.chosen.objects, wanted, to);
  } else {
    const message m = find_message(from, what);
    if (what.object)
      list_object(m, find_object(m, *what.object), wanted, to);
    else
      list_message(m, given.chosen.objects, wanted, to);
  }
  to.finish();
  if (to.broken() != 0)
    run.report.failed(what.file, counted(to.broken(), "row") + " could not be read whole",
                      "see what the rows say, and take the file again from where it came");
  if (damage_known(from)) run.report.damaged();
}

void run_ls(const options& given, session& run) {
  const auto targets = parse_targets(given.files);
  if (given.keys) return list_keys(targets, given.chosen, *given.keys, given.json, run);
  const where wanted = given.chosen.compiled();
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", escaped(t.file)));
    run.report.guard(t.file, [&] { list_target(given, wanted, t, run); });
  }
}

}  // namespace

action declare_ls(CLI::App& app, session& run) {
  const auto given = std::make_shared<options>();
  add_targets(app, given->files, "FILE, FILE:MESSAGE, FILE:MESSAGE:OBJECT, FILE@OFFSET or FILE@OFFSET:OBJECT");
  add_selection(app, given->chosen);
  app.add_option("-p,--keys", given->keys, "Show these keys, between commas, instead of the usual columns")
      ->type_name("KEYS");
  app.add_flag("--objects", given->chosen.objects, "A row for each object instead of each message");
  app.add_flag("-j,--json", given->json, "One JSON object a row, each on a line");
  add_io_option(app, run);
  return [given, &run] { run_ls(*given, run); };
}

}  // namespace tgmap::cli
