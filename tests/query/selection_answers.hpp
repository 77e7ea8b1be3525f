// SPDX-License-Identifier: Apache-2.0
// What selections find in an archive with an index and without one.
#pragma once

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <support/rounds.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <vector>

#include "../index/indexed.hpp"

namespace tgmap_test {

/// Returns the messages that a range finds, and its failures.
inline std::string found_messages(const tgmap::archive& in, const tgmap::selection& wanted) {
  std::string out;
  auto range = in.find(wanted);
  tgmap::selected_message each;
  std::size_t failures = 0;
  for (tgmap::failure why; failures < 200;) {
    const bool more = range.next(each, why);
    if (!more && !why) return out;
    out += more ? std::to_string(each.index) + ' ' : "(" + why.text() + ") ";
    failures += !more;
    if (why.code == tgmap::errc::damaged) return out;
  }
  return out;
}

inline std::string found_objects(const tgmap::archive& in, const tgmap::selection& wanted) {
  std::string out;
  auto range = in.objects(wanted);
  tgmap::selected_object each;
  std::size_t failures = 0;
  for (tgmap::failure why; failures < 200;) {
    const bool more = range.next(each, why);
    if (!more && !why) return out;
    out += more ? std::to_string(each.message_index) + ':' + std::to_string(each.index) + ' ' : "(" + why.text() + ") ";
    failures += !more;
    if (why.code == tgmap::errc::damaged) return out;
  }
  return out;
}

/// Checks that the messages that are found are those of the objects that are found, and those without objects that
/// match themselves.
inline void compare_with_objects(const tgmap::archive& in, const tgmap::selection& wanted, const std::string& what) {
  std::set<std::size_t> found, expected;
  const auto collect = [](auto range, auto value, auto&& take) {
    std::size_t failures = 0;
    for (tgmap::failure why; failures < 200 && why.code != tgmap::errc::damaged;) {
      const bool more = range.next(value, why);
      if (!more && !why) return;
      more ? take(value) : void(++failures);
    }
  };
  collect(in.find(wanted), tgmap::selected_message(), [&](const auto& each) { found.insert(each.index); });
  collect(in.objects(wanted), tgmap::selected_object(), [&](const auto& each) { expected.insert(each.message_index); });
  for (std::size_t i = 0;; ++i) {
    tgmap::failure why, unread;
    const tgmap::message m = in.at(i, why);
    if (why) break;
    const bool has_objects = m.version() != 1 && m.size(unread) != 0;
    if (!has_objects && !unread && wanted.matches(m, unread)) expected.insert(i);
  }
  BOOST_TEST(found == expected, what);
}

inline std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

/// Keys of an archive and some of their values.
struct keys_and_values {
  std::map<std::string, std::set<std::string>> values{};

  void add(const tgmap::metadata& from) {
    for (const auto& [key, text] : tgmap::flatten(from)) {
      if (text.size() > 300) continue;
      auto& known = values[key];
      if (known.size() < 4) known.insert(text);
      for (std::size_t dot = key.find('.'); dot != key.npos; dot = key.find('.', dot + 1)) values[key.substr(0, dot)];
    }
  }

  explicit keys_and_values(const tgmap::archive& of) {
    for (std::size_t i = 0;; ++i) {
      tgmap::failure why, unread;
      const tgmap::message m = of.at(i, why);
      if (why) break;
      if (m.version() == 1) continue;
      if (const auto wide = m.metadata(unread); !unread) add(wide);
      const std::size_t objects = std::min<std::size_t>(m.size(unread), 20);
      for (std::size_t j = 0; j < objects && !unread; ++j)
        if (const auto own = m.base(j, unread); !unread) add(own);
    }
    for (const char* other :
         {"dtype", "version", "shape", "absent", "a.b.c", "extra.title", "@objects", "name", "@object"})
      values[other];
    for (const char* name : {"2t", "10", "1", "in the descriptor"}) values["name"].insert(name);
  }
};

/// Returns conditions on all keys, and combinations of them.
inline std::vector<std::string> selections_for(const tgmap::archive& of, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> conditions;
  for (const auto& [key, values] : keys_and_values(of).values) {
    if (key.empty() || (key.front() == '@' && key != "@objects" && key != "@object")) continue;
    const std::string name = key.front() == '@' ? key : in_quotes(key);
    conditions.push_back("has " + name);
    conditions.push_back(name + "!=none");
    for (const std::string& each : values) {
      conditions.push_back(name + "=" + in_quotes(each));
      conditions.push_back(name + "!=" + in_quotes(each) + "/1");
      conditions.push_back(name + ">=" + in_quotes(each));
      const bool is_number = each.find_first_not_of("0123456789.-") == each.npos && !each.empty() && each != "-";
      if (is_number && each != ".") conditions.push_back(name + "<" + each);
      tgmap::failure why;
      const std::string steps = name + "=" + each + "/to/1000/by/0.5/x";
      (void)tgmap::selection::parse(steps, {}, why);
      if (is_number && !why) conditions.push_back(steps);
    }
  }
  std::vector<std::string> out = conditions;
  const auto any = [&] { return conditions[random() % conditions.size()]; };
  for (std::size_t k = 0; k < conditions.size() && k < 25; ++k) {
    out.push_back(any() + " and " + any());
    out.push_back("not (" + any() + " or " + any() + ")");
    out.push_back(any() + " and (" + any() + " or not " + any() + ")");
  }
  return out;
}

/// Compares all answers of an index with the archive.
inline void check_answers(const tgmap::archive& with, const tgmap::selection& wanted, const std::string& what) {
  const auto messages = tgmap::indexed_selection::of_messages(with, wanted),
             objects = tgmap::indexed_selection::of_objects(with, wanted);
  std::uint64_t yes = 0;
  for (std::size_t i = 0;; ++i) {
    tgmap::failure why;
    const tgmap::message m = with.at(i, why);
    if (why) break;
    const bool selected = wanted.matches(m, why);
    const tgmap::index_answer answer = messages.answer(i);
    yes += answer == tgmap::index_answer::yes;
    const bool is_right =
        answer == tgmap::index_answer::unknown || (!why && selected == (answer == tgmap::index_answer::yes));
    if (!is_right || (messages.next(i) == i) != (answer != tgmap::index_answer::no))
      BOOST_ERROR(what + ", message " + std::to_string(i));
    bool may_have_objects = false;
    const std::size_t count = m.version() == 1 ? 0 : m.size(why);
    for (std::size_t j = 0; j < count && !why; ++j) {
      const tgmap::index_answer of_object = objects.answer(i, j);
      may_have_objects = may_have_objects || of_object != tgmap::index_answer::no;
      if (of_object == tgmap::index_answer::unknown) continue;
      const tgmap::object o = m.at(j, why);
      const bool object_selected = !why && wanted.matches(m, o, why);
      if (why || object_selected != (of_object == tgmap::index_answer::yes))
        BOOST_ERROR(what + ", object " + std::to_string(i) + ":" + std::to_string(j));
    }
    if (may_have_objects && objects.next(i) != i) BOOST_ERROR(what + ", objects of message " + std::to_string(i));
  }
  if (!with.scan_progress().gaps) BOOST_TEST(messages.count(tgmap::index_answer::yes) == yes, what);
}

/// Compares what selections find in an archive with its index and without it.
inline void compare_answers(const std::filesystem::path& file, unsigned seed) {
  for (const auto damage : {tgmap::on_damage::skip, tgmap::on_damage::stop}) {
    const tgmap::archive with(file, {.damage = damage}),
        without(file, {.damage = damage, .index = tgmap::index_use::none});
    BOOST_TEST_REQUIRE(with.index_status().is_used);
    case_sampler sample(13);
    unsigned number = 0;
    for (const std::string& text : selections_for(without, seed)) {
      if (!sample.takes_next() || (damage == tgmap::on_damage::stop && number++ % 7 != 0)) continue;
      const tgmap::selection wanted(text);
      const std::string what = file.filename().string() + " -w '" + text + "'";
      BOOST_TEST(found_messages(with, wanted) == found_messages(without, wanted), what);
      BOOST_TEST(found_objects(with, wanted) == found_objects(without, wanted), what);
      compare_with_objects(with, wanted, what);
      compare_with_objects(without, wanted, what);
      if (damage == tgmap::on_damage::skip) check_answers(with, wanted, what);
    }
  }
}

}  // namespace tgmap_test
