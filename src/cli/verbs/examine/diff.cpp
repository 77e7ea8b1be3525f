// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/tools/compare.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/command/verb.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/decode_error.hpp"
#include "cli/input/file_list.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selection_outcome.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"
#include "cli/messages/difference.hpp"
#include "cli/options/decode_limit_options.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/print/human_numbers.hpp"
#include "cli/print/progress.hpp"

namespace tgmap::cli {

namespace {

/// One of the two archives to compare. Its list has the selected messages or objects.
struct archive_side {
  target address;
  compared_list list{};               ///< without an archive if that could not be read, which was reported
  std::vector<std::string> keys{};    ///< values of the matching keys, for messages to the user
  std::vector<std::string> values{};  ///< the same, for matching
};

std::string key_text(const std::vector<metadata_key>& keys, key_lookup& in) {
  std::string out;
  for (const metadata_key& each : keys) out += (out.empty() ? "" : ",") + each.text() + "=" + in.find(each).text();
  return out;
}

/// Reads one side. `by` are the keys for matching. Errors: throws usage_error.
archive_side read_side(const std::string& address, const selection_options& chosen, const std::vector<metadata_key>& by,
                       session& run) {
  archive_side out{.address = parse_target(address)};
  const selector which(chosen);
  const auto take = [&](const message& m, key_lookup& in, std::optional<std::size_t> object) {
    std::string values = group_key(by, in), text = key_text(by, in);
    out.list.parts.push_back({m, object ? optional_index(*object) : optional_index()});
    out.keys.push_back(std::move(text));
    out.values.push_back(std::move(values));
    return true;
  };
  run.report.guard(out.address.file, [&] {
    const archive from = open_archive(out.address, run);
    const tally counts = which.visit_all(out.address, from, run, take);
    which.report(out.address, from, counts, run);
    out.list.archive = from;
  });
  return out;
}

struct diff_options {
  std::string left, right, keys;
  std::vector<std::string> ignored;
  selection_options chosen;
  compare_options how;
  bool metadata_only = false, reserved = false, json = false;
  std::uint64_t limit = 100;
};

/// Compares pairs in several threads and prints the differences in order.
class difference_printer {
 public:
  difference_printer(const diff_options& given, const archive_side& left, const archive_side& right, session& run)
      : given_(given), left_(left), right_(right), run_(run) {}

  void compare_all() {
    const bool by_keys = !given_.keys.empty();
    const auto pairs = by_keys ? pair_by_values(left_.values, right_.values)
                               : pair_by_position(left_.list.parts.size(), right_.list.parts.size());
    std::uint64_t total = 0, done = 0;
    for (const compared_pair& each : pairs) total += length(printed(each));
    progress_bar bar(run_, given_.left + " and " + given_.right, total);
    compare(left_.list, right_.list, pairs, given_.how, [&](const compared_pair& pair, const comparison& found) {
      const reports::named_pair of = printed(pair);
      print(of, found);
      bar.update(done += length(of));
    });
  }

  void finish() {
    if (found_ == 0) return;
    if (found_ > given_.limit)
      run_.report.hint(
          fmt::format("{} not shown; --limit shows more", count_text(found_ - given_.limit, "more difference")));
    run_.report.mark_failed();
  }

 private:
  reports::named_pair printed(const compared_pair& pair) const {
    reports::named_pair out{.left_file = left_.address.file, .right_file = right_.address.file};
    if (pair.left) out.left = &left_.list.parts[static_cast<std::size_t>(*pair.left)];
    if (pair.right) out.right = &right_.list.parts[static_cast<std::size_t>(*pair.right)];
    if (!given_.keys.empty())
      out.key = pair.left ? left_.keys[static_cast<std::size_t>(*pair.left)]
                          : right_.keys[static_cast<std::size_t>(*pair.right)];
    return out;
  }

  static std::uint64_t length(const reports::named_pair& of) { return of.any().message.length(); }

  void print(const reports::named_pair& of, const comparison& what) {
    std::uint64_t number = found_;
    for (const difference& each : what.differences)
      if (number++ < given_.limit)
        run_.out.write(given_.json ? reports::json_line(reports::to_json(of, each)) : as_text(of, each) + "\n");
    found_ += what.difference_count;
    for (const comparison_failure& each : what.failures)
      report((each.is_right ? right_ : left_).address.file, (each.is_right ? of.right : of.left)->message, each);
  }

  /// Reports a part that could not be compared.
  void report(const std::string& file, const message& m, const comparison_failure& of) {
    if (!of.object) return run_.report.failed_at(address_text(file, m), file, failure_in(m, of.why));
    const auto number = static_cast<std::size_t>(*of.object);
    const std::string name = address_text(file, m, number);
    failure unread;
    const object at = m.at(number, unread);
    if (unread) return run_.report.failed_at(name, file, of.why);
    const cli_error why = decode_error(at, of.why, name, file);
    run_.report.failed(name, why.what(), why.next_step());
  }

  const diff_options& given_;
  const archive_side& left_;
  const archive_side& right_;
  session& run_;
  std::uint64_t found_ = 0;
};

void run_diff(diff_options& given, session& run) {
  if (given.left == "-" && given.right == "-")
    throw usage_error("standard input can be read only once; save it to a file first");
  run.report.set_failure_status(exit_status::incomparable);
  use_no_index(run);  // it says that archives are equal
  if (given.reserved) given.how.ignored_keys.clear();
  for (const std::string& list : given.ignored)
    for (const metadata_key& each : parse_keys(list)) given.how.ignored_keys.push_back(each.text());
  given.how.compare_elements = !given.metadata_only;
  given.how.max_differences = given.limit;
  given.how.executor = &run.decoders();
  const bool objects = parse_target(given.left).objects.has_value();
  if (!given.chosen.objects && objects != parse_target(given.right).objects.has_value())
    throw usage_error("objects are compared only with objects; name them in both addresses, or add --objects");
  const std::vector<metadata_key> by = given.keys.empty() ? std::vector<metadata_key>() : parse_keys(given.keys);
  std::vector<metadata_key> ignored;
  for (const std::string& list : given.ignored)
    for (metadata_key& each : parse_keys(list))
      if (!each.text().starts_with("_reserved_")) ignored.push_back(std::move(each));  // those have names of their own
  require_keys(
      {{.option = "--key", .keys = by}, {.option = "--ignore", .keys = std::move(ignored), .of_objects = true}},
      {parse_target(given.left), parse_target(given.right)}, given.chosen, run);
  const archive_side left = read_side(given.left, given.chosen, by, run),
                     right = read_side(given.right, given.chosen, by, run);
  if (!left.list.archive || !right.list.archive) return;  // reported already
  if (left.list.parts.empty() && right.list.parts.empty() && selection_outcome::of(run).is_empty()) {
    run.report.say(
        fmt::format("{} and {}: nothing was compared: nothing is selected in either", given.left, given.right));
    return run.report.mark_failed();
  }
  difference_printer printer(given, left, right, run);
  run.report.guard(given.left, [&] { printer.compare_all(); });
  printer.finish();
}

}  // namespace

action declare_diff(CLI::App& app, session& run) {
  const auto given = std::make_shared<diff_options>();
  app.add_option("LEFT", given->left, std::string(target_forms) + "; - is standard input")->required()->type_name("");
  app.add_option("RIGHT", given->right, "What to compare it with, in the same forms")->required()->type_name("");
  app.add_option("-k,--key", given->keys,
                 "Compare messages with equal values of these keys; default: in order of position")
      ->check(non_empty_keys())
      ->type_name("KEYS");
  add_where(app, given->chosen);
  app.add_flag("--objects", given->chosen.objects, "Compare objects instead of messages, by their own keys only");
  app.add_option("--abs", given->how.within.absolute, "Maximum absolute difference of equal elements")
      ->check(non_negative_number())
      ->type_name("X");
  app.add_option("--rel", given->how.within.relative,
                 "Maximum difference relative to the larger element; with --abs one of the two suffices")
      ->check(non_negative_number())
      ->type_name("X");
  app.add_flag("--metadata-only", given->metadata_only, "Compare keys, dtypes and shapes, but not elements");
  app.add_option("--ignore", given->ignored, "Keys to ignore, comma-separated, with all keys below; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEYS");
  app.add_flag("--reserved", given->reserved, "Also compare _reserved_: writer, time and identifier of messages");
  add_decode_limits(app, run, decoding_verb::pairs);
  app.add_option("--limit", given->limit, "Maximum number of differences to print; default: 100")
      ->check(integer_from(0))
      ->type_name("N");
  app.add_flag("-j,--json", given->json, "Print one JSON object per difference");
  return [given, &run] { run_diff(*given, run); };
}

}  // namespace tgmap::cli
