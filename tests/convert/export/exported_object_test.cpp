// SPDX-License-Identifier: Apache-2.0
#include "convert/export/exported_object.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

#include "collection/message_walk.hpp"

using namespace tgmap_test;
using tgmap::convert::element_format;
using tgmap::convert::exported_object;

BOOST_AUTO_TEST_SUITE(exported_objects)

namespace {

bytes named(std::string_view name) { return cbor::map({cbor::key("name", cbor::text(name))}); }

/// Two messages: objects "a" and "a", then an object "b" and one without a name.
bytes two_messages() {
  const std::vector<object_spec> objects{bytes_object("12"), bytes_object("34")};
  return message({.objects = objects, .base = {named("a"), named("a")}}) +
         message({.objects = objects, .base = {named("b"), cbor::map({})}});
}

std::vector<exported_object> objects_of(const tgmap::archive& in, const std::string& file) {
  std::vector<exported_object> out;
  for (const tgmap::message& m : in)
    for (std::size_t j = 0; j < m.size(); ++j) out.push_back({.in = m, .of = m[j], .archive = file});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(formats_have_names_and_extensions) {
  BOOST_TEST((tgmap::convert::format_named("text") == element_format::text));
  BOOST_TEST((tgmap::convert::format_of_extension(".txt") == element_format::text));
  BOOST_TEST(extension(element_format::json) == ".json");
  BOOST_TEST(extension(element_format::stored) == ".bin");
  for (const std::string_view none : {"", "bin", ".npy"}) BOOST_TEST(!tgmap::convert::format_named(none));
  for (const std::string_view none : {"", ".bin", "npy"}) BOOST_TEST(!tgmap::convert::format_of_extension(none));
  BOOST_TEST(is_text(element_format::csv));
  BOOST_TEST(!is_text(element_format::stored));
}

BOOST_AUTO_TEST_CASE(members_have_the_names_of_objects_if_these_are_unique) {
  const bytes data = two_messages();
  const auto in = tgmap::archive::from_memory(span_of(data));
  auto all = objects_of(in, "d/f.tgm");
  BOOST_TEST(member_names(all) == (std::vector<std::string>{"0_0.npy", "0_1.npy", "b.npy", "1_1.npy"}),
             boost::test_tools::per_element());
  all.push_back({.in = in[0], .of = in[0][0], .archive = "e/g.tgm"});
  BOOST_TEST(
      member_names(all) == (std::vector<std::string>{"f_0_0.npy", "f_0_1.npy", "b.npy", "f_1_1.npy", "g_0_a.npy"}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(files_are_named_by_keys_and_addresses) {
  const bytes data = two_messages();
  const auto in = tgmap::archive::from_memory(span_of(data));
  static_cast<void>(in.size());
  const exported_object one{.in = in[1], .of = in[1][0], .archive = "d/f.tgm"};
  BOOST_TEST(tgmap::archives::message_label(one.in) == "1");
  BOOST_TEST(one.address() == "d/f.tgm:1:0");
  tgmap::failure why;
  const auto names = tgmap::edit::file_template::parse("[name]_[@message]_[index].npy", why);
  BOOST_REQUIRE(!why);
  BOOST_TEST(one.file_name(names, 7) == "b_1_0007.npy");
  const auto unscanned = tgmap::archive::from_memory(span_of(data));
  const tgmap::message by_offset = unscanned.at_offset(in[1].offset());
  const exported_object other{.in = by_offset, .of = by_offset[0], .archive = "f.tgm"};
  BOOST_TEST(tgmap::archives::message_label(other.in) == "@" + std::to_string(in[1].offset()));
}

BOOST_AUTO_TEST_SUITE_END()
