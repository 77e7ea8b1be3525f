// SPDX-License-Identifier: Apache-2.0
// Tables of messages whose metadata differs only in values, which are read by comparing it.
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/failures.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/selection_samples.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/query/key_columns.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"

using namespace tgmap_test;
using tgmap::key_column;
using tgmap::key_columns;
using tgmap::metadata_key;

BOOST_AUTO_TEST_SUITE(row_templates)

namespace {

/// Returns the printed values of a column, "-" without one.
std::string values_of(const key_column& in) {
  std::string out;
  for (const std::int32_t code : in.value_codes) {
    out += out.empty() ? "" : "|";
    if (code < 0) {
      out += '-';
      continue;
    }
    const tgmap::distinct_value& value = in.values.at(static_cast<std::size_t>(code));
    out += to_string_view(value.kind).substr(0, 1);
    std::visit(
        [&](const auto& each) {
          if constexpr (std::same_as<std::decay_t<decltype(each)>, std::string>)
            out += each;
          else
            out += std::to_string(each);
        },
        value.value);
  }
  return out;
}

std::string text_of(const key_columns& table) {
  std::string out;
  for (const std::uint64_t each : table.messages) out += std::to_string(each) + ' ';
  for (const std::uint64_t each : table.objects) out += '.' + std::to_string(each);
  for (const tgmap::unread_message& each : table.unread) out += " unread " + std::to_string(each.index);
  out += '\n';
  for (const key_column& each : table.columns)
    out += each.key + ": " + values_of(each) + " type " + std::string(to_string_view(each.type)) + ' ' +
           std::to_string(each.missing) + '\n';
  return out;
}

/// Returns the first lines that differ; empty if none do.
std::string first_difference(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    const auto one = a.substr(0, a.find('\n')), other = b.substr(0, b.find('\n'));
    if (one != other) return std::string(one) + "\n" + std::string(other);
    a.remove_prefix(std::min(a.size(), one.size() + 1));
    b.remove_prefix(std::min(b.size(), other.size() + 1));
  }
  return {};
}

std::vector<metadata_key> keys_of(std::initializer_list<const char*> names) {
  std::vector<metadata_key> out;
  for (const char* each : names) out.emplace_back(each);
  return out;
}

/// Reads the same rows with a selection of all of them, which reads each message in the general way.
key_columns read_generally(const tgmap::archive& from, std::span<const metadata_key> keys,
                           tgmap::key_columns_options how) {
  how.where = tgmap::selection("@message>=0");
  return tgmap::read_key_columns(from, keys, how);
}

/// Makes messages whose metadata is mostly that of the one before with other values.
class similar_messages {
 public:
  similar_messages(unsigned seed, bool has_several_objects)
      : random_(seed), has_several_objects_(has_several_objects) {}

  bytes next() {
    if (random_() % 40 == 0) shape_ = random_() % 6;
    if (random_() % 50 == 0 && has_several_objects_) return two_named_objects();
    if (random_() % 60 == 0) return version_1_message({"abcd"});
    if (random_() % 60 == 0) return message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::integer(7)});
    for (int& each : values_)
      if (random_() % 4 == 0) each = static_cast<int>(random_() % 5);
    auto object = bytes_object(bytes(1 + static_cast<std::size_t>(values_[5]) / 3, 'x'));
    if (shape_ == 1) object.more = {cbor::key("name", value(values_[4]))};
    if (values_[6] == 4) object.cbor_first = true;
    auto mars = std::vector{cbor::key("step", value(values_[0])), cbor::key("param", value(values_[1]))};
    if (shape_ == 2) mars.push_back(cbor::key("levelist", cbor::array({value(values_[2]), value(values_[3])})));
    if (shape_ == 3) mars.push_back(cbor::key("param", value(values_[2])));  // repeated
    message_spec out{.objects = {object}, .base = {cbor::map({cbor::key("mars", cbor::map(mars))})}};
    if (shape_ == 4) out.extra = {cbor::key("mars", value(values_[2])), cbor::key("unit", value(values_[3]))};
    if (shape_ == 5) out.top = {cbor::key("free", value(values_[2])), cbor::key("name", value(values_[3]))};
    if (random_() % 50 == 0) out.version = 2;
    return message(out);
  }

 private:
  bytes value(int which) {
    switch (which) {
      case 0: return cbor::text("2t");
      case 1: return cbor::integer(random_() % 2 == 0 ? 300 : -1);
      case 2: return random_() % 20 == 0 ? cbor::map({cbor::key("a", cbor::integer(1))}) : cbor::null();
      case 3: return random_() % 20 == 0 ? cbor::tag(1, cbor::integer(7)) : cbor::real(2.5);
      default: return cbor::text(std::string(random_() % 30, 'x'));
    }
  }

  std::mt19937 random_;
  bool has_several_objects_;
  unsigned shape_ = 0;
  std::array<int, 7> values_{};
};

}  // namespace

BOOST_AUTO_TEST_CASE(rows_of_equal_keys) {
  bytes data;
  for (int i = 0; i < 30; ++i) {
    const std::string param = i < 20 ? "2t" : "10u";
    auto object = bytes_object(bytes(i < 10 ? 4 : 5, 'x'));
    if (i >= 25) object.more = {cbor::key("name", cbor::text("late"))};
    data += message({.objects = {object},
                     .base = {cbor::map(
                         {cbor::key("step", i == 7 ? cbor::null() : cbor::integer(i / 5 * 100)),
                          cbor::key("mars", cbor::map({cbor::key("param", cbor::text(param)),
                                                       cbor::key("list", cbor::numbers({1, i == 29 ? 3U : 2U}))}))})},
                     .extra = {cbor::key("same", cbor::boolean(true))}});
  }
  const auto repeated = [](std::initializer_list<std::pair<int, const char*>> runs) {
    std::string out;
    for (const auto& [count, text] : runs)
      for (int i = 0; i < count; ++i) out += (out.empty() ? "" : "|") + std::string(text);
    return out;
  };
  for (const bool of_objects : {true, false}) {
    const auto table = tgmap::read_key_columns(open(data), keys_of({"@shape", "mars", "absent", "@message"}),
                                               {.of_objects = of_objects, .all_keys = true, .distinct_values = true});
    BOOST_TEST_REQUIRE(table.columns.size() == 9u);
    const auto is = [&](std::size_t column, const char* key, const std::string& values) {
      BOOST_TEST(table.columns[column].key == key);
      BOOST_TEST(values_of(table.columns[column]) == values);
    };
    is(0, "@shape", repeated({{10, "a[4]"}, {20, "a[5]"}}));
    is(1, "mars",
       repeated({{20, R"(m{"param":"2t","list":[1,2]})"},
                 {9, R"(m{"param":"10u","list":[1,2]})"},
                 {1, R"(m{"param":"10u","list":[1,3]})"}}));
    is(2, "absent", repeated({{30, "-"}}));
    BOOST_TEST(table.columns[3].integers.back() == 29);
    is(4, "mars.list", repeated({{29, "a[1,2]"}, {1, "a[1,3]"}}));
    is(5, "mars.param", repeated({{20, "t2t"}, {10, "t10u"}}));
    is(6, "name", repeated({{25, "-"}, {5, "tlate"}}));
    is(7, "same", repeated({{30, "b1"}}));
    is(8, "step",
       repeated({{5, "i0"}, {2, "i100"}, {1, "-"}, {2, "i100"}, {5, "i200"}, {5, "i300"}, {5, "i400"}, {5, "i500"}}));
    BOOST_TEST(table.messages.size() == 30u);
  }
}

BOOST_AUTO_TEST_CASE(random_rows_are_those_of_the_general_reader) {
  const auto threads = tgmap::make_thread_executor(3);
  for (unsigned seed = 1; seed <= rounds(6U); ++seed) BOOST_TEST_CONTEXT("seed " << seed) {
      const auto keys = keys_of({"@dtype", "@shape", "name", "mars.step", "mars", "@message", "mars.levelist", "unit"});
      for (const bool of_objects : {true, false}) {
        // A selection of messages takes the keys of one object, where tables without one have those of all.
        similar_messages random(seed, of_objects);
        bytes data;
        for (unsigned i = 0; i < (seed == 6 ? 1100U : 100U); ++i) data += random.next();
        for (const bool all : {true, false}) {
          const tgmap::key_columns_options how{
              .of_objects = of_objects, .all_keys = all, .distinct_values = true, .skip_unread = true};
          const auto from = open(data);
          const std::string expected = text_of(read_generally(open(data), keys, how));
          BOOST_TEST(first_difference(text_of(tgmap::read_key_columns(from, keys, how)), expected) == "");
          BOOST_TEST(first_difference(text_of(tgmap::read_key_columns(from, keys, how)), expected) == "");
          auto parallel = how;
          parallel.executor = threads.get();
          BOOST_TEST(first_difference(text_of(tgmap::read_key_columns(open(data), keys, parallel)), expected) == "");
          const std::array both{open(data), from};
          tgmap::key_columns_reader joined(keys, how);
          for (const tgmap::failure& each : joined.add(both)) TGMAP_SUCCEEDED(each);
          BOOST_TEST(joined.finish().messages.size() == 2 * read_generally(from, keys, how).messages.size());
        }
      }
    }
}

/// Objects and metadata that a table has read are found without reading them again.
BOOST_AUTO_TEST_CASE(places_are_cached) {
  bytes data;
  for (int i = 0; i < 30; ++i)
    data += with_keys({cbor::key("text", cbor::text(std::string(static_cast<std::size_t>(i), 'x'))),
                       cbor::key("step", cbor::integer(i))});
  const auto from = open(data);
  tgmap::read_key_columns(from, keys_of({"step", "@shape"}));
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto& state = *tgmap::detail::access::state(from);
    tgmap::detail::object_parts parts;
    BOOST_TEST_REQUIRE(state.objects().find_single(i, parts));
    BOOST_TEST_REQUIRE(state.objects().find_metadata(from[i].position(), 0).has_value());
    const auto found = from[i].summary();
    BOOST_TEST(found.first_object_metadata.find("step")->get<int>().value_or(-1) == static_cast<int>(i));
    BOOST_TEST(found.object_count == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_read_ends_the_table) {
  bytes data;
  for (int i = 0; i < 20; ++i) data += with_keys({cbor::key("step", cbor::integer(i))});
  data += message({.objects = {bytes_object("abcd")}, .header_metadata = cbor::integer(7)});
  data += with_keys({cbor::key("step", cbor::integer(99))});
  tgmap::failure why;
  const auto keys = keys_of({"step"});
  tgmap::read_key_columns(open(data), keys, why);
  TGMAP_FAILED(why, tgmap::errc::bad_cbor);
  const auto table = tgmap::read_key_columns(open(data), keys, {.skip_unread = true});
  BOOST_TEST_REQUIRE(table.columns[0].integers.size() == 21u);
  BOOST_TEST(table.columns[0].integers[19] == 19);
  BOOST_TEST(table.columns[0].integers[20] == 99);
  BOOST_TEST_REQUIRE(table.unread.size() == 1u);
  BOOST_TEST(table.unread[0].index == 20u);
}

BOOST_AUTO_TEST_SUITE_END()
