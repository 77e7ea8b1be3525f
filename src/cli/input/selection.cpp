// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/selector.hpp"
#include "cli/options/option_checks.hpp"
#include "core/text/trim.hpp"

namespace tgmap::cli {

namespace {

/// Visits the selected messages or objects of several targets, sorted and limited.
class selection_run {
 public:
  selection_run(const selection_options& chosen, session& run, const selection_callback& take,
                const archive_opener& open, const problem_callback& problems)
      : selector_(chosen),
        order_(parse_sort(chosen.sort)),
        limit_(chosen.limit),
        open_(open),
        problems_(problems),
        run_(run),
        take_(take) {}

  void visit(const target& what) {
    const archive from = open_(what);
    if (!order_.columns().empty()) pins_.push_back(from.pin());  // before an error: kept messages outlive it
    const auto take = [&](const message& m, key_lookup& keys, std::optional<std::size_t> object) {
      if (order_.columns().empty()) return deliver(what, m, keys, object);
      to_sort_.push_back({order_.read(keys), &what, m, object, keys.object_index()});
      return true;
    };
    tally sum = selector_.visit_all(what, from, run_, take);
    if (problems_) {
      problems_(what, sum);
      sum.problems.clear();
      sum.taken += sum.problem_count;  // they were selected
      sum.problem_count = 0;
    }
    selector_.report(what, from, sum, run_);
  }

  bool more() const noexcept { return more_; }

  /// Visits what was kept for sorting.
  void finish() {
    const auto before = [&](const sorted_message& a, const sorted_message& b) {
      return comes_before(order_.columns(), a.values, b.values);
    };
    std::stable_sort(to_sort_.begin(), to_sort_.end(), before);
    for (const sorted_message& each : to_sort_) {
      if (!more_ || delivered_ == limit_) return;
      run_.report.guard(each.of->file, [&] {
        key_lookup keys = each.shown ? key_lookup(each.message, each.message[*each.shown]) : key_lookup(each.message);
        deliver(*each.of, each.message, keys, each.object);
      });
    }
  }

 private:
  struct sorted_message {
    sort_values values;
    const target* of;
    tgmap::message message;
    std::optional<std::size_t> object;
    optional_index shown;  ///< the object whose keys are shown
  };

  bool deliver(const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    return more_ = ++delivered_ <= limit_ && take_(what, m, keys, object) && delivered_ < limit_;
  }

  selector selector_;
  sort_reader order_;
  std::uint64_t limit_, delivered_ = 0;
  const archive_opener& open_;
  const problem_callback& problems_;
  session& run_;
  const selection_callback& take_;
  std::vector<sorted_message> to_sort_;
  std::vector<pin> pins_;
  bool more_ = true;
};

}  // namespace

std::vector<sort_column> parse_sort(const std::string& text) {
  std::vector<sort_column> out;
  if (text.empty()) return out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, comma - begin);
    const bool descending = part.ends_with(":desc");
    if (descending || part.ends_with(":asc")) part.erase(part.rfind(':'));
    auto keys = parse_keys(part);
    if (keys.front().text().empty()) throw usage_error("--sort '" + text + "': a key is missing");
    out.push_back({std::move(keys.front()), descending});
    begin = comma + 1;
  }
  return out;
}

namespace {

/// Returns the operator that somebody meant who wrote this one; empty if that is not known.
std::string_view operator_for(std::string_view given) {
  constexpr std::pair<std::string_view, std::string_view> spellings[] = {
      {"<>", "!="}, {"=>", ">="}, {"=<", "<="}, {"=~", "~"}, {"==", "="}};
  for (const auto& [other, ours] : spellings)
    if (given == other) return ours;
  return {};
}

}  // namespace

void throw_selection_error(const std::string& text, const failure& why) {
  const std::size_t at = std::min<std::size_t>(why.found == 0 ? 0 : why.found - 1, text.size());
  const std::string rest = text.substr(at, 30);
  std::string out = fmt::format("'{}': {} ({})", text, why.text(), rest.empty() ? "its end" : "'" + rest + "'");
  if (why.expected == static_cast<std::uint64_t>(selection_error::unknown_property)) {
    const std::string near = key_lookup(message()).nearest_key(rest.substr(0, rest.find_first_of("=!<>~ ")));
    if (!near.empty()) out += "; did you mean '" + near + "'?";
  }
  if (why.expected == static_cast<std::uint64_t>(selection_error::missing_value) && at != 0) {
    const std::string given = text.substr(at - 1, 2);
    const std::string_view meant = operator_for(given);
    if (!meant.empty()) out += fmt::format("; write {} for {}", meant, given == "==" ? "===" : given);
  }
  throw usage_error(out, "run `tgmap help where`");
}

selection selection_options::compiled() const {
  selection all;
  for (const std::string& text : clauses) {
    failure why;
    const selection one = selection::parse(text, plain ? selection_syntax::single_clause : selection_syntax::full, why);
    if (why) throw_selection_error(text, why);
    all = all && one;
  }
  return all;
}

void add_where(CLI::App& app, selection_options& into) {
  app.add_option("-w,--where", into.clauses,
                 "Select by a condition: 'mars.param=2t/10u and step=0..24'; several must all hold")
      ->allow_extra_args(false)
      ->type_name("WHERE");
  app.add_flag("--where-plain", into.plain, "Read --where as key=a/b or key!=a/b and nothing else");
}

void add_selection(CLI::App& app, selection_options& into) {
  add_where(app, into);
  app.add_option("--sort", into.sort, "Sort by these keys, comma-separated; KEY:desc for the largest first")
      ->type_name("KEYS");
  app.add_option("--limit", into.limit, "Maximum number of results")->type_name("N")->check(integer_from(0));
}

CLI::Validator non_empty_keys() {
  return CLI::Validator(
      [](std::string& text) { return text.empty() ? std::string("is empty; name a key") : std::string(); }, "");
}

std::vector<std::string> split_keys(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    out.emplace_back(core::trimmed(std::string_view(text).substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return out;
}

std::vector<metadata_key> parse_keys(const std::string& text) {
  std::vector<metadata_key> out;
  for (const std::string& name : split_keys(text)) {
    failure why;
    out.push_back(metadata_key::parse(name, why));
    if (why) {
      const std::string near = key_lookup(message()).nearest_key(name);
      throw usage_error(
          fmt::format("there is no property '{}'{}", name, near.empty() ? "" : "; did you mean '" + near + "'?"),
          "run `tgmap help keys`");
    }
  }
  return out;
}

void for_each_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                       const selection_callback& take, object_lookup lookup) {
  for_each_selected(targets, chosen, run, take, [&](const target& what) { return open_archive(what, run, lookup); });
}

void for_each_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                       const selection_callback& take, const archive_opener& open, const problem_callback& problems) {
  selection_run all(chosen, run, take, open, problems);
  for (const target& t : targets)
    if (all.more()) run.report.guard(t.file, [&] { all.visit(t); });
  all.finish();
}

}  // namespace tgmap::cli
