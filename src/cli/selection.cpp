// SPDX-License-Identifier: Apache-2.0
#include "cli/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t problems_shown = 10;  // of one file

}  // namespace

void refuse_text(const std::string& text, const failure& why) {
  const std::size_t at = std::min<std::size_t>(why.found == 0 ? 0 : why.found - 1, text.size());
  const std::string rest = text.substr(at, 30);
  std::string out = fmt::format("'{}': {} ({})", text, why.text(), rest.empty() ? "its end" : "'" + rest + "'");
  if (why.expected == static_cast<std::uint64_t>(where_fault::unknown_fact)) {
    const std::string near = key_scope(message()).nearest(rest.substr(0, rest.find_first_of("=!<>~ ")));
    if (!near.empty()) out += "; did you mean '" + near + "'?";
  }
  throw usage_error(out);
}

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? std::string() : text.substr(begin, end - begin + 1);
}

/// What is selected, on its way to who takes it.
class passage {
 public:
  passage(const selection& chosen, session& run, const selected_taker& take)
      : wanted_(chosen.compiled()), order_(parse_sort(chosen.sort)), chosen_(chosen), run_(run), take_(take) {}

  void look_at(const target& what) {
    what_ = &what;
    seen_ = taken_ = problems_ = 0;
    const archive from = open_archive(what, run_);
    for_each_message(from, what, run_, [&](const message& m) { return look_at(m), more_; });
    if (problems_ > problems_shown)
      run_.report.failed(what.file, counted(problems_ - problems_shown, "more problem") + " of this kind",
                         fmt::format("run `tgmap ls {}` to see what can still be read", what.file));
    if (seen_ != 0 && taken_ == 0 && problems_ == 0 && !wanted_.everything()) say_what_is_not_there(from);
    if (damage_known(from)) run_.report.damaged();
    if (!order_.empty()) pins_.push_back(from.pin());
  }

  bool more() const noexcept { return more_; }

  /// Gives what was kept for its order.
  void finish() {
    const auto before = [&](const kept& a, const kept& b) { return comes_before(order_, a.values, b.values); };
    std::stable_sort(kept_.begin(), kept_.end(), before);
    for (const kept& each : kept_) {
      if (given_ == chosen_.limit) return;
      what_ = each.of;
      run_.report.guard(what_->file, [&] {
        key_scope keys = each.object ? key_scope(each.message, each.message[*each.object]) : key_scope(each.message);
        give(each.message, keys);
      });
      if (!more_) return;
    }
  }

 private:
  struct kept {
    sort_values values;
    const target* of;
    tgmap::message message;
    std::optional<std::size_t> object;
  };

  void look_at(const message& m) {
    if (!chosen_.objects && !what_->objects) {
      key_scope keys(m);
      return look_at(m, keys, std::nullopt);
    }
    if (m.version() == 1) return;
    if (what_->one_object()) return look_at_object(m, find_object(m, *what_));
    failure why;
    const std::size_t count = m.size(why);
    if (why) return problem(m, why);
    const bounds which = what_->objects ? within(*what_->objects, count) : bounds{0, count};
    for (std::uint64_t j = which.begin; j < which.end && more_; ++j) {
      const object one = m.at(static_cast<std::size_t>(j), why);
      why ? problem(m, why) : look_at_object(m, one);
    }
  }

  void look_at_object(const message& m, const object& one) {
    key_scope keys(m, one);
    look_at(m, keys, one.index());
  }

  void look_at(const message& m, key_scope& keys, std::optional<std::size_t> object) {
    ++seen_;
    failure why;
    const bool selected = wanted_.matches(keys, why);
    if (why) return problem(m, why);
    if (!selected) return;
    ++taken_;
    try {
      if (order_.empty())
        give(m, keys);
      else
        kept_.push_back({values_of(order_, keys), what_, m, object});
    } catch (const error& unreadable) {
      problem(m, unreadable.details());
    }
  }

  void give(const message& m, key_scope& keys) {
    more_ = ++given_ <= chosen_.limit && take_(*what_, m, keys) && given_ < chosen_.limit;
  }

  void problem(const message& m, const failure& why) {
    if (++problems_ <= problems_shown) run_.report.failed(what_->file, concerning(m, why));
  }

  /// An empty answer is right and proper; it may also come of a key that is spelled wrongly.
  void say_what_is_not_there(const archive& from) {
    failure why;
    const message first = what_->one_message() ? find_message(from, *what_) : from.at(0, why);
    if (why) return;
    key_scope keys(first);
    for (const key& k : wanted_.keys()) {
      if (keys.find(k, why) || why) continue;
      const std::string near = keys.nearest(k.text());
      if (!near.empty())
        run_.report.hint(fmt::format("{}: nothing is selected, and there is no key '{}'; did you mean '{}'?",
                                     what_->file, k.text(), near));
    }
  }

  where wanted_;
  std::vector<sort_key> order_;
  const selection& chosen_;
  session& run_;
  const selected_taker& take_;
  const target* what_ = nullptr;
  std::vector<kept> kept_;
  std::vector<pin> pins_;
  std::uint64_t seen_ = 0, taken_ = 0, problems_ = 0;  // of the target at hand
  std::uint64_t given_ = 0;
  bool more_ = true;
};

}  // namespace

where selection::compiled() const {
  where all;
  for (const std::string& text : clauses) {
    failure why;
    const where one = where::parse(text, plain ? where_reading::plain : where_reading::full, why);
    if (why) refuse_text(text, why);
    all = all && one;
  }
  return all;
}

void add_selection(CLI::App& app, selection& into) {
  app.add_option("-w,--where", into.clauses,
                 "Only what this holds for: 'mars.param=2t/10u and step=0..24'; several must all hold")
      ->allow_extra_args(false)
      ->type_name("WHERE");
  app.add_flag("--where-plain", into.plain, "Read --where as key=a/b or key!=a/b and nothing else");
  app.add_option("--sort", into.sort, "In the order of these keys, between commas; KEY:desc for the largest first")
      ->type_name("KEYS");
  app.add_option("--limit", into.limit, "No more than that many")->type_name("N");
}

std::vector<key> parse_keys(const std::string& text) {
  std::vector<key> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string name = trimmed(text.substr(begin, comma - begin));
    failure why;
    out.push_back(key::parse(name, why));
    if (why)
      refuse_text(
          name,
          {.code = errc::bad_where, .expected = static_cast<std::uint64_t>(where_fault::unknown_fact), .found = 1});
    begin = comma + 1;
  }
  return out;
}

void for_each_selected(const std::vector<target>& targets, const selection& chosen, session& run,
                       const selected_taker& take) {
  passage all(chosen, run, take);
  for (const target& t : targets)
    if (all.more()) run.report.guard(t.file, [&] { all.look_at(t); });
  all.finish();
}

std::string advice_on_key(const key& missing, key_scope& in, std::string_view file) {
  const std::string near = in.nearest(missing.text());
  return near.empty() ? fmt::format("run `tgmap ls -p {} {}` to see which messages have it", missing.text(), file)
                      : "did you mean '" + near + "'?";
}

}  // namespace tgmap::cli
