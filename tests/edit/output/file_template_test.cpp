// SPDX-License-Identifier: Apache-2.0
#include "edit/output/file_template.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::template_error;
using tgmap::edit::file_name_part;
using tgmap::edit::file_names;
using tgmap::edit::file_template;
using tgmap::edit::write_error;

BOOST_AUTO_TEST_SUITE(file_templates)

namespace {

file_template parsed(std::string_view text) {
  tgmap::failure why;
  file_template out = file_template::parse(text, why);
  BOOST_TEST(!why);
  return out;
}

/// Returns the name for a message whose "k" is `value`.
std::string named(const std::string& text, const bytes& value, std::uint64_t index = 0, bool add_index = false) {
  const bytes data = message({.objects = {bytes_object("a")}, .base = {cbor::map({cbor::key("k", value)})}});
  const auto archive = tgmap::archive::from_memory(span_of(data));
  const tgmap::message first = archive[0];
  tgmap::key_lookup keys(first);
  file_template names = parsed(text);
  if (add_index) names.add_index();
  return names.name_for(keys, {index});
}

std::string indexed(const std::string& text) { return named(text, cbor::text("v"), 7, true); }

}  // namespace

BOOST_AUTO_TEST_CASE(keys_and_numbers_are_filled_in) {
  BOOST_TEST(named("o.tgm", cbor::text("v")) == "o.tgm");
  BOOST_TEST(named("[k]", cbor::text("v")) == "v");
  BOOST_TEST(named("a/[k]_[k].tgm", cbor::integer(12)) == "a/12_12.tgm");
  BOOST_TEST(named("[k[1]]x", cbor::array({cbor::integer(1), cbor::text("b")})) == "bx");
  BOOST_TEST(named("[@message]-[@offset]", cbor::text("v")) == "0-0");
  BOOST_TEST(named("[index]", cbor::text("v"), 12) == "0012");
  BOOST_TEST(named("[index]", cbor::text("v"), 123456) == "123456");
  BOOST_TEST(named("[nothing]/[k]", cbor::text("v")) == "unknown/v");
  BOOST_TEST(!parsed("o.tgm").several());
  BOOST_TEST(parsed("[k]").several());
  BOOST_TEST(parsed("[index]").several());
}

BOOST_AUTO_TEST_CASE(values_are_not_read_for_keys) {
  BOOST_TEST(named("[k].tgm", cbor::text("[k]")) == "[k].tgm");
  BOOST_TEST(named("[k]k]", cbor::text("[")) == "[k]");
  BOOST_TEST(named("[k]", cbor::text("[index]")) == "[index]");
}

BOOST_AUTO_TEST_CASE(values_stay_in_their_folder) {
  BOOST_TEST(named("d/[k].tgm", cbor::text("../../etc/passwd")) == "d/___.._etc_passwd.tgm");
  BOOST_TEST(named("d/[k]/x", cbor::text("..")) == "d/__/x");
  BOOST_TEST(named("d/[k]/x", cbor::text(".")) == "d/_/x");
  BOOST_TEST(named("[k]", cbor::text("/absolute")) == "_absolute");
  BOOST_TEST(named("d/[k]/x", cbor::text("")) == "d/_/x");
  BOOST_TEST(named("[k]", cbor::text(std::string("a\0b", 3))) == "a_b");
  BOOST_TEST(named("[k]", cbor::text("a\nb\x7f\x1b")) == "a_b__");
  BOOST_TEST(named("[k]", cbor::text("a\u200bb\u00adc\U000e0041")) == "a_b_c_");
}

BOOST_AUTO_TEST_CASE(any_value_is_one_name) {
  for (unsigned a = 0; a < 256; ++a)
    for (const std::string& value :
         {std::string(1, static_cast<char>(a)), std::string(3, static_cast<char>(a)),
          std::string(1000, static_cast<char>(a)), "." + std::string(1, static_cast<char>(a))}) {
      const std::string safe = file_name_part(value);
      BOOST_TEST(!safe.empty());
      BOOST_TEST(safe.size() <= 117u);
      BOOST_TEST((safe.find_first_of(std::string_view("/\0\n", 3)) == safe.npos));
      BOOST_TEST(safe.front() != '.');
    }
}

namespace {

/// Names messages with these values of "k" and "l" (empty: absent), numbered from 0. Returns the last error, if any.
std::string clash(const std::string& text, const std::vector<std::pair<std::string, std::string>>& values) {
  const file_template of = parsed(text);
  file_names names(of);
  std::uint64_t index = 0;
  for (const auto& [k, l] : values) {
    std::vector<cbor::pair> keys;
    if (!k.empty()) keys.push_back(cbor::key("k", cbor::text(k)));
    if (!l.empty()) keys.push_back(cbor::key("l", cbor::text(l)));
    const bytes data = message({.objects = {bytes_object("a")}, .base = {cbor::map(keys)}});
    const auto archive = tgmap::archive::from_memory(span_of(data));
    const tgmap::message first = archive[0];
    tgmap::key_lookup in(first);
    try {
      BOOST_TEST(names.name_for(in, {index}) == of.name_for(in, {index}));
      ++index;
    } catch (const write_error& why) {
      BOOST_TEST(why.fault().name == of.name_for(in, {index}));
      std::string out;
      for (const auto& each : why.fault().differences)
        out += each.part + " " + each.one.value_or("missing") + " " + each.other.value_or("missing") + "; ";
      return out;
    }
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_that_differ_never_share_a_file) {
  BOOST_TEST(clash("o/[k].tgm", {{"x/y", ""}, {"x_y", ""}}) == "[k] x/y x_y; ");
  BOOST_TEST(clash("[k]", {{"a\n", ""}, {"a\t", ""}}) == "[k] a\n a\t; ");
  BOOST_TEST(clash("[k]", {{"..", ""}, {"__", ""}}) == "[k] .. __; ");
  BOOST_TEST(clash("[k]", {{"unknown", ""}, {"", ""}}) == "[k] unknown missing; ");
  BOOST_TEST(clash("[k]_[l]", {{"x_y", "z"}, {"x", "y_z"}}) == "[k] x_y x; [l] z y_z; ");
  BOOST_TEST(clash("[k]", {{"x/y", ""}, {"x/y", ""}, {"x/z", ""}}) == "");
  BOOST_TEST(clash("[k]_[index]", {{"x/y", ""}, {"x_y", ""}}) == "");
  BOOST_TEST(clash("[k]", {{"", "1"}, {"", "2"}}) == "");  // as long as the names do not ask for it
}

BOOST_AUTO_TEST_CASE(text_after_a_number_is_an_error) {
  const file_template of = parsed("[k][index]");
  file_names names(of);
  const auto name = [&](const std::string& k, std::uint64_t index) {
    const bytes data = message({.objects = {bytes_object("a")}, .base = {cbor::map({cbor::key("k", cbor::text(k))})}});
    const auto archive = tgmap::archive::from_memory(span_of(data));
    const tgmap::message first = archive[0];
    tgmap::key_lookup in(first);
    return std::string(names.name_for(in, {index}));
  };
  BOOST_TEST(name("x1", 2345) == "x12345");
  BOOST_CHECK_THROW(name("x", 12345), write_error);
}

BOOST_AUTO_TEST_CASE(a_value_is_never_standard_output) {
  BOOST_TEST(named("[k]", cbor::text("-")) == "./-");
  BOOST_TEST(named("[k]x", cbor::text("-")) == "-x");
  BOOST_TEST(named("-", cbor::text("-")) == "-");
}

BOOST_AUTO_TEST_CASE(long_values_stay_apart) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) seen.insert(file_name_part(std::string(200, 'x') + std::to_string(i)));
  BOOST_TEST(seen.size() == 100u);
  BOOST_TEST(file_name_part(std::string(100, 'x')) == std::string(100, 'x'));
  std::string umlauts;
  for (int i = 0; i < 80; ++i) umlauts += "\xc3\xa4";
  BOOST_TEST(file_name_part("x" + umlauts).substr(0, 100) == "x" + umlauts.substr(0, 98) + "-");  // no half of one
}

BOOST_AUTO_TEST_CASE(the_number_is_put_before_the_extension) {
  BOOST_TEST(indexed("o.tgm") == "o_0007.tgm");
  BOOST_TEST(indexed("o") == "o_0007");
  BOOST_TEST(indexed("d.d/o") == "d.d/o_0007");
  BOOST_TEST(indexed("d/o.x.tgm") == "d/o.x_0007.tgm");
  BOOST_TEST(indexed(".hidden") == ".hidden_0007");
  BOOST_TEST(indexed("d/.hidden") == "d/.hidden_0007");
  BOOST_TEST(indexed("[k].tgm") == "v_0007.tgm");
  BOOST_TEST(indexed("a.b[k]") == "a.bv_0007");
  BOOST_TEST(indexed("[mars.param]") == "unknown_0007");
  BOOST_TEST(indexed("x[index].tgm") == "x0007.tgm");
}

BOOST_AUTO_TEST_CASE(unreadable_input_is_refused) {
  const auto refused = [](std::string_view text, template_error expected, std::uint64_t column) {
    tgmap::failure why;
    static_cast<void>(file_template::parse(text, why));
    BOOST_TEST((why.code == tgmap::errc::bad_name_template), text);
    BOOST_TEST((why.expected == static_cast<std::uint64_t>(expected)), text);
    BOOST_TEST(why.found == column, text);
  };
  for (const char* text : {"[", "[k[0]"}) refused(text, template_error::unclosed_bracket, 1);
  refused("a[b", template_error::unclosed_bracket, 2);
  refused("[]", template_error::no_key, 1);
  refused("[a,b]", template_error::several_keys, 1);
  refused("[@nothing]", template_error::unknown_property, 1);
}

BOOST_AUTO_TEST_CASE(nothing_that_moves_a_terminal) {
  BOOST_TEST(named("[k]", cbor::text("a\xc2\x9b"
                                     "b")) == "a_b");                            // C1
  BOOST_TEST(named("[k]", cbor::text("\xe2\x80\xaehi\xe2\x81\xa6")) == "_hi_");  // override, isolate
  BOOST_TEST(named("[k]", cbor::text("\xe2\x80\xa8\xef\xbb\xbf")) == "__");      // separator, byte order mark
  BOOST_TEST(file_name_part("a\xff\xc3") == "a__");                              // no UTF-8
  BOOST_TEST(named("[k]", cbor::text("\xc3\xa4\xe6\xb0\xb4")) == "\xc3\xa4\xe6\xb0\xb4");
}

BOOST_AUTO_TEST_SUITE_END()
