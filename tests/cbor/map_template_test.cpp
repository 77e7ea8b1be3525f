// SPDX-License-Identifier: Apache-2.0
#include "cbor/map_template.hpp"

#include <boost/test/unit_test.hpp>
#include <random>
#include <support/cbor.hpp>

#include "cbor/flat_map_view.hpp"
#include "cbor/walk.hpp"

namespace cb = tgmap::cbor;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(map_templates)

namespace {

std::span<const std::byte> span_of(std::string_view bytes) { return std::as_bytes(std::span(bytes)); }

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_container(std::span<const std::byte> item) {
  const auto kind = tgmap::cbor_view(item).kind();
  return kind == tgmap::cbor_kind::map || kind == tgmap::cbor_kind::array;
}

/// Appends the scalars of an item, and its keys and the heads of its maps and lists to `rest`.
void list_scalars(std::span<const std::byte> item, std::vector<std::string>& scalars, std::string& rest) {
  if (!is_container(item)) {
    scalars.push_back(text_of(item));
    rest += '*';
    return;
  }
  const std::byte* behind = item.data();
  cb::head head;
  BOOST_TEST_REQUIRE(cb::read_head(behind, item.data() + item.size(), head));
  rest += text_of({item.data(), behind});
  tgmap::cbor_view::cursor at;
  BOOST_TEST_REQUIRE(cb::first(item, at));
  while (cb::next(at)) {
    if (at.has_key) rest += text_of(at.key.bytes_to_end());
    list_scalars(at.value.bytes_to_end(), scalars, rest);
  }
}

struct listed {
  std::vector<std::string> scalars{};
  std::string rest{};
  explicit listed(std::string_view map) { list_scalars(span_of(map), scalars, rest); }
};

bool is_flat(std::string_view bytes) {
  cb::flat_map_view out;
  return cb::read_flat_map(span_of(bytes), 256, out);
}

/// Compares the template of one map with another map: they match if both differ only in scalars. Then has the changes,
/// and takes the other map.
void agrees(const std::string& map, const std::string& other) {
  cb::map_template from;
  BOOST_TEST_REQUIRE(from.assign(span_of(map), 256));
  const bool is_match = from.match(span_of(other));
  const listed own(map);
  if (!is_flat(other)) {
    BOOST_TEST_REQUIRE(!is_match);
    return;
  }
  const listed theirs(other);
  BOOST_TEST_REQUIRE(is_match == (own.rest == theirs.rest));
  if (!is_match) return;
  std::vector<std::string> found = own.scalars;
  for (const auto& each : from.changes()) {
    BOOST_TEST_REQUIRE(found.at(each.scalar) != text_of(each.item));
    found[each.scalar] = text_of(each.item);
  }
  BOOST_TEST_REQUIRE(found == theirs.scalars);
  from.accept();
  cb::map_template same;
  BOOST_TEST_REQUIRE(same.assign(span_of(other), 256));
  BOOST_TEST_REQUIRE(text_of(from.bytes()) == text_of(same.bytes()));
  BOOST_TEST_REQUIRE(from.scalars().size() == same.scalars().size());
  for (std::size_t i = 0; i < from.scalars().size(); ++i) {
    BOOST_TEST_REQUIRE(from.scalars()[i].begin == same.scalars()[i].begin);
    BOOST_TEST_REQUIRE(from.scalars()[i].end == same.scalars()[i].end);
  }
}

// {"base": [{"mars": {"param": "2t", "step": 12}}], "_extra_": {"x": 1.5, "y": [true, null]}, "k": h'00ff'}
constexpr char sample_bytes[] =
    "\xa3\x64"
    "base\x81\xa1\x64mars\xa2\x65param\x62"
    "2t\x64step\x0c\x67_extra_\xa2\x61x\xf9\x3e\x00\x61y\x82\xf5\xf6\x61k\x42\x00\xff";
const std::string sample(sample_bytes, sizeof sample_bytes - 1);

std::string replaced(std::string in, std::string_view from, std::string_view to) {
  return in.replace(in.find(from), from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_CASE(scalars_of_other_sizes_are_changes) {
  cb::map_template from;
  BOOST_TEST_REQUIRE(from.assign(span_of(sample + "behind"), 256));
  BOOST_TEST(text_of(from.bytes()) == sample);
  BOOST_TEST_REQUIRE(from.scalars().size() == 6u);  // 2t, 12, 1.5, true, null, 00ff
  BOOST_TEST(from.scalars()[1].begin == sample.find('\x0c'));
  BOOST_TEST(from.match(span_of(sample)));
  BOOST_TEST(from.changes().empty());

  const std::string other = replaced(replaced(sample,
                                              "\x62"
                                              "2t",
                                              "\x63"
                                              "10u"),
                                     "\xf5", "\x19\x01\x00"s) +
                            "more";
  BOOST_TEST_REQUIRE(from.match(span_of(other)));
  BOOST_TEST_REQUIRE(from.changes().size() == 2u);
  BOOST_TEST(from.changes()[0].scalar == 0u);
  BOOST_TEST(text_of(from.changes()[0].item) ==
             "\x63"
             "10u");
  BOOST_TEST(from.changes()[1].scalar == 3u);
  BOOST_TEST(text_of(from.changes()[1].item) == "\x19\x01\x00"s);
  BOOST_TEST(text_of(from.matched()) == other.substr(0, other.size() - 4));
  BOOST_TEST(from.offset_in_match(sample.find("\x62"
                                              "2t")) == other.find("\x63"
                                                                   "10u"));
  BOOST_TEST(from.offset_in_match(sample.find("\x64step")) == other.find("\x64step"));
  BOOST_TEST(from.offset_in_match(sample.size()) == other.size() - 4);
  BOOST_TEST(!from.has_equal_sizes());
  from.accept();
  BOOST_TEST(from.match(span_of(other)));
  BOOST_TEST(from.changes().empty());
  BOOST_TEST(from.has_equal_sizes());
}

BOOST_AUTO_TEST_CASE(other_keys_and_lists_do_not_match) {
  cb::map_template from;
  BOOST_TEST(!from.match(span_of(sample)));
  BOOST_TEST_REQUIRE(from.assign(span_of(sample), 256));
  BOOST_TEST(!from.match(span_of(replaced(sample, "param", "level"))));
  BOOST_TEST(!from.match(span_of(replaced(sample, "\x82\xf5\xf6", "\x81\xf5"))));  // a shorter list
  BOOST_TEST(!from.match(span_of(replaced(sample, "\x0c", "\x80"))));              // a list
  BOOST_TEST(!from.match(span_of(replaced(sample, "\x0c", "\xc1\x0c"))));          // a tag
  BOOST_TEST(!from.match(span_of(replaced(sample, "\x0c", "\xe0"))));              // a simple value
  BOOST_TEST(!from.match(span_of(replaced(sample, "\x0c", "\x1c"))));              // no item
  BOOST_TEST(!from.match(span_of(replaced(sample,
                                          "\x62"
                                          "2t",
                                          "\x7f\x61"
                                          "2\x61t\xff"))));  // in pieces
  BOOST_TEST(!from.match(span_of(replaced(sample, "\x42\x00\xff"s, "\x7b\xff\xff\xff\xff\xff\xff\xff\xff"))));
  for (std::size_t size = 0; size < sample.size(); ++size) BOOST_TEST(!from.match(span_of(sample).first(size)));
  BOOST_TEST(from.match(span_of(sample)));
}

BOOST_AUTO_TEST_CASE(other_forms_have_no_template) {
  cb::map_template from;
  BOOST_TEST(from.assign(span_of("\xa0"s), 256));
  BOOST_TEST(from.scalars().empty());
  BOOST_TEST(from.match(span_of("\xa0\x01"s)));
  BOOST_TEST(!from.assign(span_of("\xbf\xff"s), 256));
  BOOST_TEST(!from.match(span_of("\xbf\xff"s)));
  BOOST_TEST(!from.assign(span_of("\xa1\x61k\x81\x01"s), 1));            // nested too deep
  BOOST_TEST(!from.assign(span_of("\xa1\x61k\xa1\x81\x01\x02"s), 256));  // a list as a key
  const std::string large = "\xa1\x61k\x59\xff\xfb"s + std::string(0xfffb, 'x');
  BOOST_TEST_REQUIRE(large.size() == cb::map_template::max_size + 1);
  BOOST_TEST(!from.assign(span_of(large), 256));
  const std::string largest = "\xa1\x61k\x59\xff\xfa"s + std::string(0xfffa, 'x');
  BOOST_TEST(from.assign(span_of(largest), 256));
}

BOOST_AUTO_TEST_CASE(it_agrees_with_the_general_reader_for_any_value_of_one_byte) {
  for (std::size_t i = 0; i < sample.size(); ++i)
    for (int b = 0; b < 256; ++b) {
      std::string changed = sample;
      changed[i] = static_cast<char>(b);
      agrees(sample, changed);
      if (is_flat(changed) && cb::map_template().assign(span_of(changed), 256)) agrees(changed, sample);
    }
}

BOOST_AUTO_TEST_CASE(it_agrees_on_random_changes) {
  std::mt19937 random(7);
  std::string before = sample;
  for (int i = 0; i < 20'000; ++i) {
    std::string changed = before;
    for (unsigned n = 0; n < 1 + random() % 3; ++n) {
      const std::size_t at = random() % changed.size();
      switch (random() % 3) {
        case 0: changed[at] = static_cast<char>(random()); break;
        case 1: changed.insert(at, 1, static_cast<char>(random())); break;
        default: changed.erase(at, 1);
      }
    }
    agrees(before, changed);
    if (changed.size() < 200 && is_flat(changed) && cb::map_template().assign(span_of(changed), 256)) before = changed;
    if (i % 50 == 0) before = sample;
  }
}

BOOST_AUTO_TEST_SUITE_END()
