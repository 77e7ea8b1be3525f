// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/examine/du.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "cli/app/cli_error.hpp"
#include "cli/app/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/print/json.hpp"
#include "cli/print/table.hpp"
#include "cli/survey/archive_survey.hpp"
#include "core/text/escape.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t preamble = 24;
constexpr std::size_t max_problems_kept = 10;

void add_problem(const message& m, const failure& why, disk_usage& out) {
  if (out.problems.size() < max_problems_kept) out.problems.push_back(failure_in(m, why));
}

std::string_view part_of(frame_type type) {
  switch (type) {
    case frame_type::header_metadata:
    case frame_type::footer_metadata: return "metadata";
    case frame_type::header_index:
    case frame_type::footer_index: return "index";
    case frame_type::header_hash:
    case frame_type::footer_hash: return "hashes";
    case frame_type::preceder: return "preceder";
    default: return "unknown frame";
  }
}

std::string text_under(const message& m, const object& o, const metadata_key& by) {
  failure why;
  key_lookup keys(m, o);
  const key_result found = keys.find(by, why);
  return found ? found.text() : why ? "unreadable" : "N/A";
}

/// Adds the frames of a message. Returns their end, relative to the message.
std::uint64_t add_frames(const message& m, const metadata_key* by, disk_usage& out) {
  std::uint64_t at = preamble;
  std::size_t objects = 0;
  failure why;
  frame_range range = m.frames(why);
  for (frame f; !why && range.next(f, why);) {
    const std::uint64_t around = f.length() - f.body_size();
    if (f.padding() > 0) out.parts["padding"].add(f.padding());
    out.parts["frame header and tail"].add(around);
    at = f.offset_in_message() + f.length();
    if (!f.is_object()) {
      out.parts[std::string(part_of(f.type()))].add(f.body_size());
      continue;
    }
    failure broken;
    const tgmap::object o = m.at(objects++, broken);
    if (broken) {
      add_problem(m, broken, out);
      out.parts["unreadable"].add(f.body_size());
      continue;
    }
    out.parts["descriptor"].add(f.body_size() - o.payload_and_masks_size());
    add_usage(m, o, by, out);
  }
  if (why) add_problem(m, why, out);
  return at;
}

}  // namespace

void add_usage(const message& m, const object& o, const metadata_key* by, disk_usage& out) {
  out.parts["payload"].add(o.payload_size());
  if (o.payload_and_masks_size() > o.payload_size())
    out.parts["masks"].add(o.payload_and_masks_size() - o.payload_size());
  failure why, unknown;
  const descriptor what = o.descriptor(why);
  if (why) add_problem(m, why, out);
  const std::uint64_t size = o.decoded_size(unknown);
  const auto decoded = unknown ? std::nullopt : std::optional(size);
  out.objects.add(o.payload_and_masks_size(), decoded);
  out.dtypes[why ? "unreadable" : std::string(to_string_view(what.dtype))].add(o.payload_and_masks_size(), decoded);
  out.codecs[why ? "unreadable" : codec_name_of(what)].add(o.payload_and_masks_size(), decoded);
  if (by != nullptr) out.keys[text_under(m, o, *by)].add(o.payload_and_masks_size(), decoded);
}

void add_usage(const message& m, const metadata_key* by, disk_usage& out) {
  if (m.version() == 1) return out.parts["version 1 message"].add(m.length());
  const std::uint64_t postamble = m.is_incomplete() ? 0 : m.version() == 2 ? 16 : 24;
  out.parts["preamble and postamble"].add(preamble + postamble);
  const std::uint64_t seen = add_frames(m, by, out) + postamble;
  if (seen >= m.length()) return;
  // Up to seven zeros may follow the last frame; more bytes were not readable.
  out.parts[m.length() - seen < 8 ? "padding" : "unreadable"].add(m.length() - seen);
}

json as_json(const object_share& of) {
  const auto ratio = of.ratio();
  return {{"count", of.count},
          {"bytes", of.bytes},
          {"decoded_bytes", of.decoded},
          {"ratio", ratio ? json(*ratio) : json()}};
}

void add_damage(const archive& from, disk_usage& out) {
  for (const gap& each : from.gaps()) out.parts["gap"].add(each.end - each.begin);
  if (const auto tail = from.incomplete_tail()) out.parts["incomplete tail"].add(tail->end - tail->begin);
}

namespace {

struct du_options {
  std::vector<std::string> files;
  std::string key;
  selection_options chosen;
  bool json = false;
};

template <class Share>
using shares = std::map<std::string, Share>;

/// Sorts by size, the largest first.
template <class Share>
std::vector<std::pair<std::string, Share>> ranked(const shares<Share>& of) {
  std::vector<std::pair<std::string, Share>> out(of.begin(), of.end());
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  return out;
}

std::uint64_t total(const shares<share>& of) {
  std::uint64_t out = 0;
  for (const auto& [name, part] : of) out += part.bytes;
  return out;
}

json as_json(const share& of) { return {{"count", of.count}, {"bytes", of.bytes}}; }

template <class Share>
json as_json(const shares<Share>& of) {
  json out = json::object();
  for (const auto& [name, part] : ranked(of)) add_member(out, name, as_json(part));
  return out;
}

void print_json(const std::string& file, const disk_usage& used, const du_options& given, output& out) {
  json line{{"file", file},
            {"bytes", total(used.parts)},
            {"parts", as_json(used.parts)},
            {"objects", as_json(used.objects)},
            {"dtypes", as_json(used.dtypes)},
            {"codecs", as_json(used.codecs)}};
  if (!given.key.empty()) line["keys"] = {{given.key, as_json(used.keys)}};
  out.write(json_line(line));
}

/// The rows of one target.
class usage_table {
 public:
  usage_table(std::uint64_t all, output& out)
      : all_(all),
        rows_(out, {{"by", side::left},
                    {"bytes", side::right},
                    {"share", side::right},
                    {"count", side::right},
                    {"decoded", side::right},
                    {"ratio", side::right},
                    {"what", side::left}}) {}

  void add(std::string_view by, const std::string& what, const share& part) { add(by, what, part, {}, {}); }
  void add(std::string_view by, const std::string& what, const object_share& part) {
    const auto ratio = part.ratio();
    add(by, what, part, std::to_string(part.decoded), ratio ? fmt::format("{:.2f}", *ratio) : "");
  }
  template <class Share>
  void add_all(std::string_view by, const shares<Share>& of) {
    for (const auto& [name, part] : ranked(of)) add(by, name, part);
  }

  void finish() {
    rows_.row({"total", std::to_string(all_), "", "", "", "", ""});
    rows_.finish();
  }

 private:
  using side = table::align;

  void add(std::string_view by, const std::string& what, const share& part, std::string decoded, std::string ratio) {
    const double percent = all_ == 0 ? 0 : 100 * static_cast<double>(part.bytes) / static_cast<double>(all_);
    rows_.row({core::escaped(by), std::to_string(part.bytes), fmt::format("{:.1f}%", percent),
               std::to_string(part.count), std::move(decoded), std::move(ratio), core::escaped(what)});
  }

  std::uint64_t all_;
  table rows_;
};

void print_table(const disk_usage& used, const du_options& given, output& out) {
  usage_table rows(total(used.parts), out);
  rows.add_all("part", used.parts);
  rows.add("object", "payload and masks", used.objects);
  rows.add_all("dtype", used.dtypes);
  rows.add_all("codec", used.codecs);
  if (!given.key.empty()) rows.add_all(given.key, used.keys);
  rows.finish();
}

void measure(const du_options& given, const selector& chosen, const metadata_key* by, const target& what,
             session& run) {
  const archive from = open_archive(what, run, object_lookup::walk);
  disk_usage used;
  const auto take = [&](const message& m, key_lookup&, std::optional<std::size_t> object) {
    object ? add_usage(m, m[*object], by, used) : add_usage(m, by, used);
    return true;
  };
  const bool everything = given.chosen.clauses.empty() && !given.chosen.objects;
  tally sum;
  if (everything && !what.objects)
    for_each_message(from, what, run, [&](const message& m) {
      add_usage(m, by, used);  // also counts messages that cannot be read
      ++sum.seen;
      ++sum.taken;
      return true;
    });
  else
    sum = chosen.visit_all(what, from, run, take);
  if (everything && what.whole_file()) add_damage(from, used);
  if (given.json)
    print_json(what.file, used, given, run.out);
  else
    print_table(used, given, run.out);
  for (const failure& why : used.problems) run.report.failed(what.file, why);
  if (everything && has_known_damage(from))
    run.report.mark_damaged();  // the rows show it
  else
    chosen.report(what, from, sum, run);
}

void run_du(const du_options& given, session& run) {
  const auto targets = parse_targets(given.files);
  const std::vector<metadata_key> keys = given.key.empty() ? std::vector<metadata_key>() : parse_keys(given.key);
  if (keys.size() > 1) throw usage_error("--by takes one key");
  const metadata_key* const by = keys.empty() ? nullptr : keys.data();
  require_keys({{.option = "--by", .keys = keys, .of_objects = true}}, targets, given.chosen, run, object_lookup::walk);
  const selector chosen(given.chosen);
  if (given.chosen.clauses.empty() && !given.chosen.objects) use_no_index(run);  // the parts add up to the archive
  for (const target& t : targets) {
    const bool many = targets.size() > 1 && !given.json;
    if (many) run.out.write(fmt::format("{}{}:\n", &t == &targets.front() ? "" : "\n", core::escaped(t.file)));
    run.report.guard(t.file, [&] { measure(given, chosen, by, t, run); });
  }
}

}  // namespace

action declare_du(CLI::App& app, session& run) {
  const auto given = std::make_shared<du_options>();
  add_targets(app, given->files, target_forms);
  app.add_option("--by", given->key, "Also group objects by this key, or a property such as dtype or @message")
      ->check(non_empty_keys())
      ->type_name("KEY");
  add_where(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Select objects instead of messages, and count only them");
  app.add_flag("-j,--json", given->json, "Print one JSON object per target, one per line");
  return [given, &run] { run_du(*given, run); };
}

}  // namespace tgmap::cli
