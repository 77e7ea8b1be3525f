// SPDX-License-Identifier: Apache-2.0
#include "cli/input/selection.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tgmap/tools/collection.hpp>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/input/selector.hpp"
#include "cli/options/option_checks.hpp"
#include "collection/match_sorter.hpp"

namespace tgmap::cli {

namespace {

collection collection_of(const std::vector<target>& targets, const collection_options& options) {
  std::vector<archive_place> places;
  places.reserve(targets.size());
  for (const target& each : targets) places.push_back({each.file == "-" ? std::string(standard_input) : each.file});
  return collection(std::move(places), options);
}

/// Visits the selected messages or objects of several targets, sorted and limited. Sorting keeps no archive open that
/// the collection closes.
class selection_run {
 public:
  selection_run(const std::vector<target>& targets, const selection_options& chosen, session& run,
                const selection_callback& take, const problem_callback& problems, const collection_options& how)
      : targets_(targets),
        selector_(chosen),
        sorter_(chosen.order()),
        limit_(chosen.limit),
        problems_(problems),
        run_(run),
        take_(take),
        how_(how),
        archives_(collection_of(targets, how)) {}

  void visit_all() {
    for (std::size_t i = 0; i < targets_.size() && more_; ++i) run_.report.guard(targets_[i].file, [&] { visit(i); });
    for (const archives::kept_match& each : sorter_.take()) {
      if (!more_ || delivered_ == limit_) return;
      const target& what = targets_[each.archive];
      run_.report.guard(what.file, [&] {
        const collected_message found = each.find(archives_);  // keeps the archive open
        const message& m = found.message;
        key_lookup keys = each.keys_of ? key_lookup(m, m[*each.keys_of]) : key_lookup(m);
        deliver(what, m, keys, each.object ? std::optional<std::size_t>(*each.object) : std::nullopt);
      });
    }
  }

 private:
  void visit(std::size_t number) {
    const target& what = targets_[number];
    failure why;
    const archive from = sorter_.has_columns() ? archives_.archive(number) : how_.opener(number, how_.open, why);
    if (why) throw error(why);
    const auto take = [&](const message& m, key_lookup& keys, std::optional<std::size_t> object) {
      if (!sorter_.has_columns()) return deliver(what, m, keys, object);
      sorter_.add(sorter_.read(keys), {number, m.index(), m.offset(), object, keys.object_index()});
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

  bool deliver(const target& what, const message& m, key_lookup& keys, std::optional<std::size_t> object) {
    return more_ = ++delivered_ <= limit_ && take_(what, m, keys, object) && delivered_ < limit_;
  }

  const std::vector<target>& targets_;
  selector selector_;
  archives::match_sorter<archives::kept_match> sorter_;
  std::uint64_t limit_, delivered_ = 0;
  const problem_callback& problems_;
  session& run_;
  const selection_callback& take_;
  const collection_options& how_;
  collection archives_;
  bool more_ = true;
};

/// Throws usage_error for a key in a list that cannot be parsed.
[[noreturn]] void refuse_key(const std::string& list, const failure& why) {
  if (why.code != make_error_code(errc::bad_key)) throw error(why);
  const std::string name = list.substr(why.found - 1, why.expected);
  if (name.empty()) throw usage_error("--sort '" + list + "': a key is missing");
  throw_key_error(name);
}

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

void throw_key_error(const std::string& name) {
  const std::string near = key_lookup(message()).nearest_key(name);
  throw usage_error(
      fmt::format("there is no property '{}'{}", name, near.empty() ? "" : "; did you mean '" + near + "'?"),
      "run `tgmap help keys`");
}

std::vector<metadata_key> parse_keys(const std::string& text) {
  failure why;
  std::vector<metadata_key> out = tgmap::parse_keys(text, why);
  if (why) refuse_key(text, why);
  return out;
}

std::vector<sort_column> selection_options::order() const {
  if (sort.empty()) return {};
  failure why;
  std::vector<sort_column> out = parse_sort(sort, why);
  if (why) refuse_key(sort, why);
  return out;
}

namespace {

/// Returns how many archives may be open at a time: each takes up to two descriptors, and a mapping. Opening again
/// costs a scan, so it is as many as the system allows.
std::size_t max_open_archives() {
  constexpr rlim_t spare = 64, most = 16384;  // descriptors for other files; a system allows 65,530 mappings
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= spare) return 1;
  return static_cast<std::size_t>(std::clamp<rlim_t>((limit.rlim_cur - spare) / 2, 1, most));
}

}  // namespace

void for_each_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                       const selection_callback& take, object_lookup lookup) {
  collection_options how{.open = options_for(run, lookup), .max_open = max_open_archives()};
  std::set<std::size_t> opened;  // an archive that is opened again gets no hints again
  how.opener = [&](std::size_t number, const open_options& options, failure& why) {
    const target& what = targets[number];
    const bool is_first = opened.insert(number).second || what.file == "-";
    return is_first ? open_archive(what, run, lookup) : archive::open(what.file, options, why);
  };
  selection_run(targets, chosen, run, take, {}, how).visit_all();
}

void for_each_selected(const std::vector<target>& targets, const selection_options& chosen, session& run,
                       const selection_callback& take, const archive_opener& open, const problem_callback& problems) {
  const collection_options how{.max_open = SIZE_MAX, .opener = [&](std::size_t number, const open_options&, failure&) {
                                 return open(targets[number]);
                               }};
  selection_run(targets, chosen, run, take, problems, how).visit_all();
}

}  // namespace tgmap::cli
