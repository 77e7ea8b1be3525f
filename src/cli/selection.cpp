// SPDX-License-Identifier: Apache-2.0
#include "cli/selection.hpp"

#include <fmt/format.h>

#include "cli/archives.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"

namespace tgmap::cli {

namespace {

constexpr std::uint64_t problems_shown = 10;  // of one file

[[noreturn]] void refuse(const std::string& text, const failure& why) {
  const std::size_t at = std::min<std::size_t>(why.found == 0 ? 0 : why.found - 1, text.size());
  const std::string rest = text.substr(at, 30);
  std::string out = fmt::format("'{}': {} ({})", text, why.text(), rest.empty() ? "its end" : "'" + rest + "'");
  if (why.expected == static_cast<std::uint64_t>(where_fault::unknown_fact)) {
    const std::string near = key_scope(message()).nearest(rest.substr(0, rest.find_first_of("=!<>~ ")));
    if (!near.empty()) out += "; did you mean '" + near + "'?";
  }
  throw usage_error(out);
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == text.npos ? std::string() : text.substr(begin, end - begin + 1);
}

/// One pass over a target.
class pass {
 public:
  pass(const target& what, const where& wanted, bool objects, session& run, const taker& take, object_lookup lookup)
      : what_(what), wanted_(wanted), objects_(objects || what.object), run_(run), take_(take), lookup_(lookup) {}

  void run() {
    const archive from = open_archive(what_, run_, lookup_);
    if (what_.whole_file()) {
      for (const message& m : from)
        if (!look_at(m)) break;
    } else {
      look_at(find_message(from, what_));
    }
    if (problems_ > problems_shown)
      run_.report.failed(what_.file, counted(problems_ - problems_shown, "more problem") + " of this kind",
                         fmt::format("run `tgmap ls {}` to see what can still be read", what_.file));
    if (seen_ != 0 && taken_ == 0 && problems_ == 0 && !wanted_.everything()) say_what_is_not_there(from);
    if (damage_known(from)) run_.report.damaged();
  }

 private:
  /// False: no more is wanted.
  bool look_at(const message& m) {
    if (!objects_) {
      key_scope keys(m);
      return look_at(m, keys);
    }
    if (what_.object) return look_at_object(m, find_object(m, *what_.object));
    if (m.version() == 1) return true;
    failure why;
    const std::size_t count = m.size(why);
    if (why) return problem(m, why);
    for (std::size_t j = 0; j < count; ++j) {
      const object one = m.at(j, why);
      if (why ? !problem(m, why) : !look_at_object(m, one)) return false;
    }
    return true;
  }

  bool look_at_object(const message& m, const object& one) {
    key_scope keys(m, one);
    return look_at(m, keys);
  }

  bool look_at(const message& m, key_scope& keys) {
    ++seen_;
    failure why;
    const bool selected = wanted_.matches(keys, why);
    if (why) return problem(m, why);
    if (!selected) return true;
    ++taken_;
    try {
      return take_(m, keys);
    } catch (const error& unreadable) {
      return problem(m, unreadable.details());
    }
  }

  bool problem(const message& m, const failure& why) {
    if (++problems_ <= problems_shown) run_.report.failed(what_.file, concerning(m, why));
    return true;
  }

  /// An empty answer is right and proper; it may also come of a key that is spelled wrongly.
  void say_what_is_not_there(const archive& from) {
    failure why;
    const message first = what_.whole_file() ? from.at(0, why) : find_message(from, what_);
    if (why) return;
    key_scope keys(first);
    for (const key& k : wanted_.keys()) {
      if (keys.find(k, why) || why) continue;
      const std::string near = keys.nearest(k.text());
      if (!near.empty())
        run_.report.say(fmt::format("{}: nothing is selected, and there is no key '{}'; did you mean '{}'?", what_.file,
                                    k.text(), near));
    }
  }

  const target& what_;
  const where& wanted_;
  bool objects_;
  session& run_;
  const taker& take_;
  object_lookup lookup_;
  std::uint64_t seen_ = 0, taken_ = 0, problems_ = 0;
};

}  // namespace

where selection::compiled() const {
  where all;
  for (const std::string& text : clauses) {
    failure why;
    const where one = where::parse(text, plain ? where_reading::plain : where_reading::full, why);
    if (why) refuse(text, why);
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
}

std::vector<key> parse_keys(const std::string& text) {
  std::vector<key> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string name = trimmed(text.substr(begin, comma - begin));
    failure why;
    out.push_back(key::parse(name, why));
    if (why)
      refuse(name,
             {.code = errc::bad_where, .expected = static_cast<std::uint64_t>(where_fault::unknown_fact), .found = 1});
    begin = comma + 1;
  }
  return out;
}

void for_each_selected(const target& what, const where& wanted, bool objects, session& run, const taker& take,
                       object_lookup lookup) {
  pass(what, wanted, objects, run, take, lookup).run();
}

std::string advice_on_key(const key& missing, key_scope& in, std::string_view file) {
  const std::string near = in.nearest(missing.text());
  return near.empty() ? fmt::format("run `tgmap ls -p {} {}` to see which messages have it", missing.text(), file)
                      : "did you mean '" + near + "'?";
}

}  // namespace tgmap::cli
