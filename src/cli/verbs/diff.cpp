// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/decode/executor.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/progress.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/elements.hpp"
#include "cli/input/required_keys.hpp"
#include "cli/input/selection.hpp"
#include "cli/input/selector.hpp"
#include "cli/input/target.hpp"
#include "cli/options/option_checks.hpp"
#include "cli/print/difference.hpp"
#include "cli/print/human_numbers.hpp"
#include "core/seeded_hash.hpp"
#include "edit/compare/message_comparison.hpp"

namespace tgmap::cli {

namespace {

/// One of the two archives to compare, with its selected messages or objects. The vectors have one element for each.
struct archive_side {
  target address;
  archive opened{};                 ///< empty if the archive could not be read, which was reported
  std::vector<message> messages{};  ///< repeated for each of its objects
  std::vector<std::optional<std::size_t>> objects{};
  std::vector<std::string> keys{};    ///< values of the matching keys, for messages
  std::vector<std::string> values{};  ///< the same, for matching
};

std::string key_text(const std::vector<metadata_key>& keys, key_lookup& in) {
  std::string out;
  for (const metadata_key& each : keys) out += (out.empty() ? "" : ",") + each.text() + "=" + in.find(each).text();
  return out;
}

/// Pairs element `i` of the left side with element `j` of the right side. Either may not exist.
message_pair pair_of(const archive_side& left, std::size_t i, const archive_side& right, std::size_t j) {
  message_pair out;
  out.left_file = left.address.file;
  out.right_file = right.address.file;
  if (i < left.messages.size()) {
    out.left = &left.messages[i];
    out.left_object = left.objects[i];
  }
  if (j < right.messages.size()) {
    out.right = &right.messages[j];
    out.right_object = right.objects[j];
  }
  return out;
}

/// Reads one side. `by` are the keys for matching. Errors: throws usage_error.
archive_side read_side(const std::string& address, const selection_options& chosen, const std::vector<metadata_key>& by,
                       session& run) {
  archive_side out{.address = parse_target(address)};
  const selector which(chosen);
  const auto take = [&](const message& m, key_lookup& in, std::optional<std::size_t> object) {
    std::string values = group_key(by, in), text = key_text(by, in);
    out.messages.push_back(m);
    out.objects.push_back(object);
    out.keys.push_back(std::move(text));
    out.values.push_back(std::move(values));
    return true;
  };
  run.report.guard(out.address.file, [&] {
    const archive from = open_archive(out.address, run);
    const tally counts = which.visit_all(out.address, from, run, take);
    which.report(out.address, from, counts, run);
    out.opened = from;
  });
  return out;
}

/// Pairs the first with the first, the second with the second, and so on. Lifetime: borrows from both sides.
std::vector<message_pair> pair_by_position(const archive_side& left, const archive_side& right) {
  std::vector<message_pair> out;
  for (std::size_t i = 0; i < std::max(left.messages.size(), right.messages.size()); ++i)
    out.push_back(pair_of(left, i, right, i));
  return out;
}

/// Pairs elements with equal values, in order if there are several. The rest of the right side comes last. Lifetime:
/// borrows from both sides.
std::vector<message_pair> pair_by_keys(const archive_side& left, const archive_side& right) {
  std::vector<message_pair> out;
  core::text_map<std::deque<std::size_t>, std::string_view> unmatched;
  for (std::size_t i = 0; i < right.messages.size(); ++i) unmatched[right.values[i]].push_back(i);
  std::vector<bool> matched(right.messages.size());
  constexpr std::size_t none = SIZE_MAX;
  for (std::size_t i = 0; i < left.messages.size(); ++i) {
    const auto same = unmatched.find(left.values[i]);
    const bool is_matched = same != unmatched.end() && !same->second.empty();
    out.push_back(pair_of(left, i, right, is_matched ? same->second.front() : none));
    out.back().key = left.keys[i];
    if (!is_matched) continue;
    matched[same->second.front()] = true;
    same->second.pop_front();
  }
  for (std::size_t i = 0; i < right.messages.size(); ++i)
    if (!matched[i]) {
      out.push_back(pair_of(left, none, right, i));
      out.back().key = right.keys[i];
    }
  return out;
}

struct diff_options {
  std::string left, right, keys;
  std::vector<std::string> ignored;
  selection_options chosen;
  comparison_options how;
  bool metadata_only = false, reserved = false, json = false;
  std::uint64_t limit = 100;
};

comparison_result only_in(difference::kind which) {
  comparison_result out;
  out.differences.add([which] { return difference{.what = which}; });
  return out;
}

comparison_result compare(const archive_side& left, const archive_side& right, const message_pair& pair,
                          const comparison_options& how) {
  if (pair.right == nullptr) return only_in(difference::kind::only_left);
  if (pair.left == nullptr) return only_in(difference::kind::only_right);
  if (pair.left_object && pair.right_object)
    return compare_objects(left.opened, *pair.left, *pair.left_object, right.opened, *pair.right, *pair.right_object,
                           how);
  return compare_messages(left.opened, *pair.left, right.opened, *pair.right, how);
}

/// Compares pairs in several threads and prints the differences in order.
class difference_printer {
 public:
  difference_printer(const diff_options& given, const archive_side& left, const archive_side& right, session& run)
      : given_(given), left_(left), right_(right), run_(run) {}

  void compare_all(const std::vector<message_pair>& pairs) {
    std::uint64_t total = 0, done = 0;
    for (const message_pair& each : pairs) total += length(each);
    progress_bar bar(run_, given_.left + " and " + given_.right, total);
    executor& on = run_.decoders();
    const std::size_t at_once = std::size_t{on.concurrency()} * 16;
    for (std::size_t begin = 0; begin < pairs.size(); begin += at_once) {
      std::vector<comparison_result> some(std::min(at_once, pairs.size() - begin));
      std::vector<std::exception_ptr> thrown(some.size());
      auto piece = [&](std::size_t i) noexcept {
        try {
          some[i] = compare(left_, right_, pairs[begin + i], given_.how);
        } catch (...) {
          thrown[i] = std::current_exception();
        }
      };
      on.run(some.size(), {[](void* to, std::size_t i) noexcept { (*static_cast<decltype(piece)*>(to))(i); }, &piece});
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (thrown[i]) std::rethrow_exception(thrown[i]);
        print(pairs[begin + i], some[i]);
        bar.update(done += length(pairs[begin + i]));
      }
    }
  }

  void finish() {
    if (found_ == 0) return;
    if (found_ > given_.limit)
      run_.report.hint(
          fmt::format("{} not shown; --limit shows more", count_text(found_ - given_.limit, "more difference")));
    run_.report.mark_failed();
  }

 private:
  static std::uint64_t length(const message_pair& of) { return (of.left != nullptr ? of.left : of.right)->length(); }

  void print(const message_pair& of, const comparison_result& what) {
    std::uint64_t number = found_;
    for (const difference& each : what.differences.shown())
      if (number++ < given_.limit)
        run_.out.write(given_.json ? json_line(as_json(of, each)) : as_text(of, each) + "\n");
    found_ += what.differences.found();
    for (const auto& each : what.failures) {
      const std::string& file = (each.right ? right_ : left_).address.file;
      const message& m = each.right ? *of.right : *of.left;
      if (!each.object) {
        run_.report.failed_at(address_text(file, m), file, failure_in(m, each.why));
        continue;
      }
      const std::string name = address_text(file, m, each.object);
      failure unread;
      const object at = m.at(*each.object, unread);
      if (unread) {
        run_.report.failed_at(name, file, each.why);
        continue;
      }
      const cli_error why = decode_error(at, each.why, name, file);
      run_.report.failed(name, why.what(), why.next_step());
    }
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
  if (!given.reserved) given.how.ignored.emplace_back("_reserved_");
  for (const std::string& list : given.ignored)
    for (const metadata_key& each : parse_keys(list)) given.how.ignored.push_back(each.text());
  given.how.values = !given.metadata_only;
  given.how.max_shown = given.limit;
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
  if (!left.opened || !right.opened) return;  // reported already
  if (left.messages.empty() && right.messages.empty() && run.selected.is_empty()) {
    run.report.say(
        fmt::format("{} and {}: nothing was compared: nothing is selected in either", given.left, given.right));
    return run.report.mark_failed();
  }
  difference_printer printer(given, left, right, run);
  run.report.guard(given.left, [&] {
    printer.compare_all(given.keys.empty() ? pair_by_position(left, right) : pair_by_keys(left, right));
  });
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
