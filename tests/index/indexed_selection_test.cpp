// SPDX-License-Identifier: Apache-2.0
// Selections find the same messages and objects with an index as without one.
#include <boost/test/unit_test.hpp>
#include <random>
#include <set>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <support/shared_data.hpp>
#include <support/system_calls.hpp>

#include "indexed.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::index_answer;
using tgmap::index_use;
using tgmap::indexed_selection;
using tgmap::on_damage;
using tgmap::selection;

BOOST_AUTO_TEST_SUITE(indexed_selection_test)

namespace {

/// Returns the messages that a range finds, and its failures.
std::string found_messages(const tgmap::archive& in, const selection& wanted) {
  std::string out;
  auto range = in.find(wanted);
  tgmap::selected_message each;
  std::size_t failures = 0;
  for (tgmap::failure why; failures < 200;) {
    const bool more = range.next(each, why);
    if (!more && !why) return out;
    out += more ? std::to_string(each.index) + ' ' : "(" + why.text() + ") ";
    failures += !more;
    if (why.code == errc::damaged) return out;
  }
  return out;
}

std::string found_objects(const tgmap::archive& in, const selection& wanted) {
  std::string out;
  auto range = in.objects(wanted);
  tgmap::selected_object each;
  std::size_t failures = 0;
  for (tgmap::failure why; failures < 200;) {
    const bool more = range.next(each, why);
    if (!more && !why) return out;
    out += more ? std::to_string(each.message_index) + ':' + std::to_string(each.index) + ' ' : "(" + why.text() + ") ";
    failures += !more;
    if (why.code == errc::damaged) return out;
  }
  return out;
}

std::string in_quotes(std::string_view text) {
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
    for (const char* other : {"dtype", "version", "shape", "absent", "a.b.c", "extra.title", "@objects"}) values[other];
  }
};

/// Returns conditions on all keys, and combinations of them.
std::vector<std::string> selections_for(const tgmap::archive& of, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> conditions;
  for (const auto& [key, values] : keys_and_values(of).values) {
    if (key.empty() || (key.front() == '@' && key != "@objects")) continue;
    const std::string name = key.front() == '@' ? key : in_quotes(key);
    conditions.push_back("has " + name);
    conditions.push_back(name + "!=none");
    for (const std::string& each : values) {
      conditions.push_back(name + "=" + in_quotes(each));
      conditions.push_back(name + "!=" + in_quotes(each) + "/1");
      conditions.push_back(name + ">=" + in_quotes(each));
      if (each.find_first_not_of("0123456789.-") == each.npos && !each.empty() && each != "-" && each != ".")
        conditions.push_back(name + "<" + each);
    }
  }
  std::vector<std::string> out = conditions;
  const auto any = [&] { return conditions[random() % conditions.size()]; };
  for (std::size_t k = 0; k < conditions.size() && k < 40; ++k) {
    out.push_back(any() + " and " + any());
    out.push_back("not (" + any() + " or " + any() + ")");
    out.push_back(any() + " and (" + any() + " or not " + any() + ")");
  }
  return out;
}

/// Compares all answers of an index with the archive.
void check_answers(const tgmap::archive& with, const selection& wanted, const std::string& what) {
  const auto messages = indexed_selection::of_messages(with, wanted),
             objects = indexed_selection::of_objects(with, wanted);
  std::uint64_t yes = 0;
  for (std::size_t i = 0;; ++i) {
    tgmap::failure why;
    const tgmap::message m = with.at(i, why);
    if (why) break;
    const bool selected = wanted.matches(m, why);
    const index_answer answer = messages.answer(i);
    yes += answer == index_answer::yes;
    if (answer != index_answer::unknown)
      BOOST_TEST((!why && selected == (answer == index_answer::yes)), what << ", message " << i);
    BOOST_TEST((messages.next(i) == i) == (answer != index_answer::no), what << ", message " << i);
    bool may_have_objects = false;
    const std::size_t count = m.version() == 1 ? 0 : m.size(why);
    for (std::size_t j = 0; j < count && !why; ++j) {
      const index_answer of_object = objects.answer(i, j);
      may_have_objects = may_have_objects || of_object != index_answer::no;
      if (of_object == index_answer::unknown) continue;
      const tgmap::object o = m.at(j, why);
      const bool object_selected = !why && wanted.matches(m, o, why);
      BOOST_TEST((!why && object_selected == (of_object == index_answer::yes)), what << ", object " << i << ":" << j);
    }
    if (may_have_objects) BOOST_TEST(objects.next(i) == i, what << ", objects of message " << i);
  }
  if (!with.scan_progress().gaps) BOOST_TEST(messages.count(index_answer::yes) == yes, what);
}

void compare(const std::filesystem::path& file, unsigned seed) {
  write_index(file);
  for (const auto damage : {on_damage::skip, on_damage::stop}) {
    const tgmap::archive with(file, {.damage = damage}), without(file, {.damage = damage, .index = index_use::none});
    BOOST_TEST_REQUIRE(with.index_status().is_used);
    for (const std::string& text : selections_for(without, seed)) {
      const selection wanted(text);
      const std::string what = file.filename().string() + " -w '" + text + "'";
      BOOST_TEST(found_messages(with, wanted) == found_messages(without, wanted), what);
      BOOST_TEST(found_objects(with, wanted) == found_objects(without, wanted), what);
      if (damage == on_damage::skip) check_answers(with, wanted, what);
    }
  }
}

/// Makes metadata of all kinds: nested, repeated, with dots, in pieces, too long, of every type.
class random_metadata {
 public:
  explicit random_metadata(unsigned seed) : random_(seed) {}

  bytes map(unsigned depth, bool is_odd) {
    std::vector<cbor::pair> pairs;
    for (unsigned k = 0; k < 1 + random_() % 4; ++k) pairs.push_back(cbor::key(name(is_odd), value(depth, is_odd)));
    if (!is_odd) {
      std::set<bytes> met;
      std::erase_if(pairs, [&](const cbor::pair& each) { return !met.insert(each.first).second; });
    }
    return is_odd && random_() % 4 == 0 ? cbor::map_until_break(pairs) : cbor::map(pairs);
  }

  bytes message() {
    const bool is_odd = random_() % 6 == 0;
    message_spec out{.version = random_() % 4 == 0 ? 2 : 3};
    for (unsigned j = 0; j < random_() % 4; ++j) {
      out.objects.push_back(bytes_object("abcd"));
      out.base.push_back(map(0, is_odd));
      if (random_() % 8 == 0) out.objects.back().preceder = map(0, is_odd);
    }
    if (random_() % 2 == 0) out.writing = writing::streamed;
    for (unsigned k = 0; k < random_() % 3; ++k) out.extra.push_back(cbor::key(name(is_odd), value(0, is_odd)));
    if (random_() % 5 == 0) out.top.push_back(cbor::key("b", value(0, is_odd)));
    return tgmap_test::message(out);
  }

 private:
  std::string_view name(bool is_odd) {
    static constexpr std::array plain{"a", "b", "c", "step", "mars", "dtype", "version", "title", "extra"};
    static constexpr std::array odd{"a.b", "a", "b", "x[0]", "", "@offset", "_reserved_"};
    return is_odd && random_() % 3 == 0 ? odd[random_() % odd.size()] : plain[random_() % plain.size()];
  }

  bytes value(unsigned depth, bool is_odd) {
    switch (random_() % (depth < 3 ? 16 : 13)) {
      case 0: return cbor::text("2t");
      case 1: return cbor::text("10");
      case 2: return cbor::integer(static_cast<int>(random_() % 4));
      case 3: return cbor::real(static_cast<double>(random_() % 4));
      case 4: return cbor::single(1.5F);
      case 5: return cbor::boolean(random_() % 2 == 0);
      case 6: return cbor::null();
      case 7: return cbor::text(std::string(random_() % 2 == 0 ? 200 : 400, 'x'));
      case 8: return cbor::numbers({1, 2});
      case 9: return cbor::blob("abc");
      case 10: return cbor::tag(1, cbor::integer(7));
      case 11: return is_odd ? cbor::text_in_pieces({"2", "t"}) : cbor::integer(-3);
      case 12: return cbor::half(0x7e00);
      default: return map(depth + 1, is_odd);
    }
  }

  std::mt19937 random_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_file_gives_the_same_answers) {
  const temporary_directory temporary;
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    compare(temporary.file(entry.path().filename().string(), read_file(entry.path())), 1);
    ++compared;
  }
  BOOST_TEST(compared > 50u);
}

BOOST_AUTO_TEST_CASE(random_metadata_gives_the_same_answers) {
  const temporary_directory temporary;
  for (unsigned seed = 1; seed <= rounds(12U); ++seed) {
    random_metadata random(seed);
    bytes data;
    for (unsigned i = 0; i < 1 + seed * 7; ++i) {
      data += random.message();
      if (seed % 4 == 0 && i % 9 == 5) data += "damage";
      if (seed % 5 == 0 && i % 7 == 3) data += version_1_message({payload_of(1)});
    }
    compare(temporary.file("random" + std::to_string(seed) + ".tgm", data), seed);
  }
}

BOOST_AUTO_TEST_CASE(objects_with_different_values_come_late) {
  const temporary_directory temporary;
  bytes data;
  for (int k = 0; k < 30; ++k) data += six_messages();
  data += two_named_objects() + six_messages() + two_named_objects();
  compare(temporary.file("late.tgm", data), 3);
}

BOOST_AUTO_TEST_CASE(no_message_is_read_for_answers) {
  const temporary_directory temporary;
  bytes data;
  for (int k = 0; k < 300; ++k) data += six_messages();
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  // Another process cuts the archive, so that reading a message would fail.
  const tgmap::archive with(file);
  std::filesystem::resize_file(file, 0);
  const selection wanted("mars.param=2t and mars.step>=6 and not name=none");
  BOOST_TEST(indexed_selection::of_messages(with, wanted).count(index_answer::yes) == 600u);
  BOOST_TEST(indexed_selection::of_messages(with, wanted).count(index_answer::unknown) == 0u);
  BOOST_TEST(indexed_selection::of_objects(with, wanted).count(index_answer::yes) == 600u);
  const auto next = indexed_selection::of_messages(with, selection("mars.param=10u and mars.step=12"));
  BOOST_TEST(next.next(0) == 5u);
  BOOST_TEST(next.next(6) == 11u);
  BOOST_TEST(next.next(1799) == 1799u);
  BOOST_TEST(next.next(1800) == 1800u);  // messages that were appended later are not known
}

BOOST_AUTO_TEST_CASE(a_key_without_a_column_falls_back_for_itself) {
  const temporary_directory temporary;
  bytes data;
  for (int k = 0; k < 20; ++k) data += six_messages();
  const auto file = temporary.file("a.tgm", data);
  tgmap::memory_sink to;
  tgmap::create_index(tgmap::archive(file), to, {.keys = {"mars.param"}, .default_keys = false});
  write_file(index_path(file), bytes(view_of(to.release())));
  const tgmap::archive with(file);
  const auto both = indexed_selection::of_messages(with, selection("mars.param=2t and mars.step=6"));
  BOOST_TEST(both.count(index_answer::no) == 60u);  // decided by the parameter
  BOOST_TEST(both.count(index_answer::unknown) == 60u);
  BOOST_TEST((both.missing_keys() == std::vector<std::string>{"mars.step"}));
  std::size_t found = 0;
  for (const auto& each : with.find(selection("mars.param=2t and mars.step=6"))) found += each.index % 6 == 2;
  BOOST_TEST(found == 20u);
}

BOOST_AUTO_TEST_CASE(appended_messages_are_unknown_and_found) {
  const temporary_directory temporary;
  const auto file = temporary.file("a.tgm", six_messages());
  write_index(file);
  append_file(file, six_messages());
  const tgmap::archive with(file);
  BOOST_TEST_REQUIRE(with.index_status().is_used);
  BOOST_TEST(found_messages(with, selection("mars.param=2t and mars.step=6")) == "2 8 ");
}

BOOST_AUTO_TEST_CASE(a_message_that_no_longer_matches_is_an_error) {
  const temporary_directory temporary;
  bytes data;
  for (int k = 0; k < 2000; ++k) data += six_messages();
  const auto file = temporary.file("a.tgm", data);
  write_index(file);
  // One value far from all samples that are compared at opening.
  const std::size_t message = data.size() / 2;
  const std::size_t param = data.find(cbor::text("param") + cbor::text("10u"), message);
  data.replace(data.find("10u", param), 3, "11u");
  write_file(file, data);
  tgmap::failure why;
  const tgmap::archive with = tgmap::archive::open(file, {}, why);
  if (!with.index_status().is_used) return;  // a sample was there by chance
  const std::string found = found_messages(with, selection("mars.param=10u"));
  BOOST_TEST(found.find("does not belong") != found.npos, found.substr(0, 300));
}

BOOST_AUTO_TEST_CASE(without_an_index_all_is_unknown) {
  const bytes data = six_messages();
  const auto archive = open(data);
  for (const auto& each : {indexed_selection(), indexed_selection::of_messages(archive, selection("mars.param=2t")),
                           indexed_selection::of_messages(tgmap::archive(), selection("mars.param=2t"))}) {
    BOOST_TEST((each.answer(0) == index_answer::unknown));
    BOOST_TEST((each.answer(0, 0) == index_answer::unknown));
    BOOST_TEST(each.next(3) == 3u);
    BOOST_TEST(each.count(index_answer::yes) == 0u);
    BOOST_TEST(each.missing_keys().empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
