// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tgmap/decode/executor.hpp>

#include "cli/archives.hpp"
#include "cli/compare/messages.hpp"
#include "cli/compare/sides.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"
#include "cli/number_checks.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/undecodable.hpp"

namespace tgmap::cli {

namespace {

struct diff_options {
  std::string left, right, keys;
  std::vector<std::string> ignored;
  selection_options chosen;
  comparison how;
  bool metadata_only = false, reserved = false, json = false;
  std::uint64_t limit = 100;
};

comparison_outcome only_in(difference::kind which) {
  comparison_outcome out;
  out.differences.add([which] { return difference{.what = which}; });
  return out;
}

comparison_outcome compare(const side& left, const side& right, const message_pair& pair, const comparison& how) {
  if (pair.right == nullptr) return only_in(difference::kind::only_left);
  if (pair.left == nullptr) return only_in(difference::kind::only_right);
  if (pair.left_object && pair.right_object)
    return compare_objects(left.in, *pair.left, *pair.left_object, right.in, *pair.right, *pair.right_object, how);
  return compare_messages(left.in, *pair.left, right.in, *pair.right, how);
}

/// Compares pairs, several at once, and tells of them in order.
class differences_told {
 public:
  differences_told(const diff_options& given, const side& left, const side& right, session& run)
      : given_(given), left_(left), right_(right), run_(run) {}

  void compare_all(const std::vector<message_pair>& pairs) {
    std::uint64_t total = 0, done = 0;
    for (const message_pair& each : pairs) total += length(each);
    progress_bar bar(run_, given_.left + " and " + given_.right, total);
    executor& on = run_.decoders();
    const std::size_t at_once = std::size_t{on.concurrency()} * 16;
    for (std::size_t begin = 0; begin < pairs.size(); begin += at_once) {
      std::vector<comparison_outcome> some(std::min(at_once, pairs.size() - begin));
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
        tell(pairs[begin + i], some[i]);
        bar.at(done += length(pairs[begin + i]));
      }
    }
  }

  void finish() {
    if (found_ == 0) return;
    if (found_ > given_.limit)
      run_.report.hint(
          fmt::format("{} not shown; --limit shows more", counted(found_ - given_.limit, "more difference")));
    run_.report.unsound();
  }

 private:
  static std::uint64_t length(const message_pair& of) { return (of.left != nullptr ? of.left : of.right)->length(); }

  void tell(const message_pair& of, const comparison_outcome& what) {
    std::uint64_t number = found_;
    for (const difference& each : what.differences.shown())
      if (number++ < given_.limit)
        run_.out.write(given_.json ? json_line(as_json(of, each)) : as_text(of, each) + "\n");
    found_ += what.differences.found();
    for (const auto& each : what.failures) {
      const std::string& file = (each.right ? right_ : left_).from.file;
      const message& m = each.right ? *of.right : *of.left;
      if (!each.object) {
        run_.report.failed(file, concerning(m, each.why));
        continue;
      }
      const std::string name = fmt::format("{}@{}:{}", file, m.offset(), *each.object);
      failure unread;
      const object at = m.at(*each.object, unread);
      if (unread) {
        run_.report.failed(name, each.why);
        continue;
      }
      const complaint why = undecodable(at, each.why, name, file);
      run_.report.failed(name, why.what(), why.next_step());
    }
  }

  const diff_options& given_;
  const side& left_;
  const side& right_;
  session& run_;
  std::uint64_t found_ = 0;
};

void run_diff(diff_options& given, session& run) {
  if (given.left == "-" && given.right == "-")
    throw usage_error("standard input can be read once; save it to a file first");
  run.report.failures_are(exit_status::incomparable);
  if (!given.reserved) given.how.ignored.emplace_back("_reserved_");
  for (const std::string& list : given.ignored)
    for (const metadata_key& each : parse_keys(list)) given.how.ignored.push_back(each.text());
  given.how.values = !given.metadata_only;
  given.how.most_shown = given.limit;
  const bool objects = parse_target(given.left).objects.has_value();
  if (!given.chosen.objects && objects != parse_target(given.right).objects.has_value())
    throw usage_error("objects are compared with objects: name them in both addresses, or add --objects");
  const std::vector<metadata_key> by = given.keys.empty() ? std::vector<metadata_key>() : parse_keys(given.keys);
  const side left = side_of(given.left, given.chosen, by, run), right = side_of(given.right, given.chosen, by, run);
  if (!left.in || !right.in) return;  // told
  differences_told told(given, left, right, run);
  run.report.guard(given.left, [&] {
    told.compare_all(given.keys.empty() ? pairs_by_place(left, right) : pairs_by_keys(left, right));
  });
  told.finish();
}

}  // namespace

action declare_diff(CLI::App& app, session& run) {
  const auto given = std::make_shared<diff_options>();
  app.add_option("LEFT", given->left, std::string(target_forms) + "; - is standard input")->required()->type_name("");
  app.add_option("RIGHT", given->right, "What it is held against: the same")->required()->type_name("");
  app.add_option("-k,--key", given->keys,
                 "Messages that have the same under these keys are held against each other; "
                 "without, the first against the first, and so on")
      ->check(named_keys())
      ->type_name("KEYS");
  add_where(app, given->chosen);
  app.add_flag(
      "--objects", given->chosen.objects,
      "Compare objects instead of messages, one with one, by their own keys; those of the message do not count");
  app.add_option("--abs", given->how.within.absolute, "Elements are equal when they are no further apart than that")
      ->check(number_from_0())
      ->type_name("X");
  app.add_option("--rel", given->how.within.relative,
                 "The same, as a share of the larger one; with --abs either suffices")
      ->check(number_from_0())
      ->type_name("X");
  app.add_flag("--metadata-only", given->metadata_only, "Compare keys, dtypes and shapes, but no elements");
  app.add_option("--ignore", given->ignored,
                 "Keys that may differ, between commas, with all below them; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEYS");
  app.add_flag("--reserved", given->reserved, "Compare _reserved_ too: who wrote a message, when, and its number");
  add_decode_limits(app, run, decoding_verb::pairs);
  app.add_option("--limit", given->limit, "Show no more differences than that; 100 unless given")
      ->check(whole_number_from(0))
      ->type_name("N");
  app.add_flag("-j,--json", given->json, "One JSON object for each difference");
  return [given, &run] { run_diff(*given, run); };
}

}  // namespace tgmap::cli
