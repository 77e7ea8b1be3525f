// SPDX-License-Identifier: Apache-2.0
// A message matches if one of its objects does.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::key_lookup;
using tgmap::metadata_key;
using tgmap::selection;
using tgmap::selection_syntax;

BOOST_AUTO_TEST_SUITE(first_match)

namespace {

/// Returns a message of two fields: 2t at step 0 as float32, and 10u at step 6 as bytes.
bytes two_fields() {
  return message(
      {.objects = {grid(), bytes_object("abcd")},
       .base = {cbor::map({cbor::key("mars", mars("2t", 0))}), cbor::map({cbor::key("mars", mars("10u", 6))})},
       .extra = {cbor::key("title", cbor::text("two"))}});
}

/// Returns what first_match says of the only message: "no", "message", or the number of an object.
std::string matched(const tgmap::archive& in, const selection& wanted) {
  const tgmap::selection_match found = wanted.first_match(in[0]);
  BOOST_TEST(found.is_match == wanted.matches(in[0]));
  if (!found) return "no";
  return found.object ? std::to_string(*found.object) : "message";
}

std::string matched(const bytes& data, std::string_view wanted, selection_syntax syntax = selection_syntax::full) {
  return matched(open(data), selection(wanted, syntax));
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_object_can_match) {
  const bytes data = two_fields();
  BOOST_TEST(matched(data, "mars.param=2t") == "0");
  BOOST_TEST(matched(data, "mars.param=10u") == "1");
  BOOST_TEST(matched(data, "mars.param=10v") == "no");
  BOOST_TEST(matched(data, "mars.step>=6") == "1");
  BOOST_TEST(matched(data, "mars.param~u$") == "1");
  BOOST_TEST(matched(data, "mars.param=10u/2t") == "0");
}

BOOST_AUTO_TEST_CASE(all_conditions_hold_for_one_object) {
  const bytes data = two_fields();
  BOOST_TEST(matched(data, "mars.param=10u and mars.step=6") == "1");
  BOOST_TEST(matched(data, "mars.param=10u and mars.step=0") == "no");
  BOOST_TEST(matched(data, "mars.param=10u and title=two") == "1");  // with the keys of the message
  BOOST_TEST(matched(data, "mars.param=10v or mars.step=6") == "1");
  const auto archive = open(data);
  BOOST_TEST(matched(archive, selection("mars.param=10u") && selection("mars.step=6")) == "1");
  BOOST_TEST(matched(archive, selection("mars.param=10u") && selection("mars.step=0")) == "no");
}

BOOST_AUTO_TEST_CASE(a_selection_and_its_negation_may_both_match) {
  const bytes data = two_fields();
  for (const char* wanted : {"mars.param=2t", "mars.param=10u", "mars.step<6", "dtype=float32", "@object=0"}) {
    BOOST_TEST(matched(data, wanted) != "no", wanted);
    BOOST_TEST(matched(data, std::string("not ") + wanted) != "no", wanted);
  }
  BOOST_TEST(matched(data, "mars.param!=2t") == "1");
  BOOST_TEST(matched(data, "mars.param!=2t/10u") == "no");
  BOOST_TEST(matched(two_named_objects(), "has unit") == "1");
  BOOST_TEST(matched(two_named_objects(), "not has unit") == "0");
  BOOST_TEST(matched(data, "not title=two") == "no");
}

BOOST_AUTO_TEST_CASE(properties_are_those_of_the_object) {
  const bytes data = two_fields();
  const auto archive = open(data);
  BOOST_TEST(matched(archive, selection("dtype=uint8")) == "1");
  BOOST_TEST(matched(archive, selection("dtype=uint8 and shape=\"[2,3]\"")) == "no");
  BOOST_TEST(matched(archive, selection("ndim=1 and mars.param=10u")) == "1");
  BOOST_TEST(matched(archive, selection("@object=1")) == "1");
  BOOST_TEST(matched(archive, selection("@payload=" + std::to_string(archive[0][1].payload_offset()))) == "1");
  BOOST_TEST(matched(archive, selection("@objects=2 and @message=0")) == "0");
}

BOOST_AUTO_TEST_CASE(an_own_key_version_is_that_of_the_object) {
  const auto with_version = [](std::string_view text) { return cbor::map({cbor::key("version", cbor::text(text))}); };
  const bytes data =
      message({.objects = {bytes_object("a"), bytes_object("b")}, .base = {with_version("mine"), with_version("3")}});
  BOOST_TEST(matched(data, "version=mine") == "0");
  BOOST_TEST(matched(data, "version=3") == "1");
  BOOST_TEST(matched(message({.extra = {cbor::key("version", cbor::text("mine"))}}), "version=3") == "message");
}

BOOST_AUTO_TEST_CASE(without_objects_the_message_matches) {
  const bytes empty = message({.extra = {cbor::key("title", cbor::text("empty"))}});
  BOOST_TEST(matched(empty, "title=empty") == "message");
  BOOST_TEST(matched(empty, "title=other") == "no");
  BOOST_TEST(matched(empty, "not has name") == "message");
  BOOST_TEST(matched(empty, "@objects=0 and @message=0") == "message");
  BOOST_TEST(matched(empty, "@offset=0") == "message");
  BOOST_TEST(matched(empty, "dtype!=float32") == "message");
  const bytes old = version_1_message({payload_of(1)});
  BOOST_TEST(matched(old, "version=1") == "message");
  BOOST_TEST(matched(old, "not has name") == "message");
  BOOST_TEST(matched(old, "has name") == "no");
}

BOOST_AUTO_TEST_CASE(the_default_selects_the_message) {
  const bytes data = two_fields();
  BOOST_TEST(matched(open(data), selection()) == "message");
}

BOOST_AUTO_TEST_CASE(one_clause_of_the_reference_sees_the_first_value) {
  const bytes data = two_fields();
  BOOST_TEST(matched(data, "mars.param=2t", selection_syntax::single_clause) == "message");
  BOOST_TEST(matched(data, "mars.param=10u", selection_syntax::single_clause) == "no");
  BOOST_TEST(matched(data, "mars.param!=2t", selection_syntax::single_clause) == "no");
  const selection param("mars.param=2t", selection_syntax::single_clause), step("mars.step=0"),
      plain_step("mars.step=0", selection_syntax::single_clause);
  const auto archive = open(data);
  BOOST_TEST(matched(archive, param && plain_step) == "message");
  BOOST_TEST(matched(archive, param && step) == "0");
}

BOOST_AUTO_TEST_CASE(a_lookup_becomes_one_of_the_object) {
  const bytes data = two_fields();
  const auto archive = open(data);
  const metadata_key param("mars.param"), title("title"), dtype("dtype"), object("@object");
  key_lookup keys(archive[0]);
  BOOST_TEST(keys.find(param).text() == "2t");
  BOOST_TEST(!keys.object_index());
  BOOST_TEST(selection("mars.param=10u").matches(keys));
  BOOST_TEST(keys.find(param).text() == "2t");  // matches() changes nothing
  BOOST_TEST(!selection("mars.param=10v").first_match(keys).is_match);
  BOOST_TEST(!keys.object_index());
  BOOST_TEST(keys.find(dtype).text() == "float32");
  BOOST_TEST(selection("mars.param=10u").first_match(keys).is_match);
  BOOST_TEST((keys.object_index() == 1));
  BOOST_TEST(keys.find(param).text() == "10u");
  BOOST_TEST(keys.find(title).text() == "two");
  BOOST_TEST(keys.find(dtype).text() == "uint8");
  BOOST_TEST(keys.find(object).text() == "1");
  BOOST_TEST(!selection("mars.param=2t").matches(keys));  // it is a lookup of the object now
  key_lookup of_object(archive[0], archive[0][1]);
  BOOST_TEST((selection("mars.param=10u").first_match(of_object).object == 1));
  BOOST_TEST(!selection("mars.param=2t").first_match(of_object).is_match);
}

BOOST_AUTO_TEST_CASE(an_entered_object_has_the_keys_that_a_lookup_of_it_has) {
  const bytes hidden = cbor::map({cbor::key("_reserved_", cbor::map({cbor::key("tensor", cbor::text("inner"))})),
                                  cbor::key("n", cbor::integer(1))});
  object_spec preceded = bytes_object("cd");
  preceded.preceder = cbor::map({cbor::key("n", cbor::integer(2)), cbor::key("p", cbor::integer(3))});
  const bytes data = message({.objects = {bytes_object("ab"), preceded},
                              .writing = writing::streamed,
                              .base = {hidden, hidden},
                              .extra = {cbor::key("w", cbor::integer(4)), cbor::key("n", cbor::integer(5))}});
  const auto archive = open(data);
  for (const std::size_t j : {0, 1}) {
    key_lookup of_object(archive[0], archive[0][j]), entered(archive[0]);
    BOOST_TEST_REQUIRE(selection("@object=" + std::to_string(j)).first_match(entered).is_match);
    for (const char* key : {"n", "p", "w", "_reserved_.tensor", "_reserved_", "extra.n", "version", "@stored", "name",
                            "shape", "@objects", "@message"}) {
      const metadata_key wanted(key);
      BOOST_TEST(entered.find(wanted).text() == of_object.find(wanted).text(), key);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_object_that_cannot_be_read_hides_no_other) {
  object_spec broken = bytes_object("abcd");
  broken.preceder = cbor::integer(7);  // no map
  const bytes data =
      message({.objects = {broken, bytes_object("efgh")},
               .writing = writing::streamed,
               .base = {cbor::map({cbor::key("n", cbor::integer(1))}), cbor::map({cbor::key("n", cbor::integer(2))})}});
  const auto archive = open(data);
  tgmap::failure why;
  for (const char* wanted : {"n=2", "n=3"}) {
    const tgmap::selection_match found = selection(wanted).first_match(archive[0], why);
    BOOST_TEST(!found.is_match);
    BOOST_TEST(static_cast<bool>(why), wanted);  // the summary includes the first object
  }
  const bytes last =
      message({.objects = {bytes_object("efgh"), broken},
               .writing = writing::streamed,
               .base = {cbor::map({cbor::key("n", cbor::integer(1))}), cbor::map({cbor::key("n", cbor::integer(2))})}});
  const auto other = open(last);
  BOOST_TEST((selection("n=1").first_match(other[0], why).object == 0));
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(!selection("n=3").first_match(other[0], why).is_match);
  BOOST_TEST(static_cast<bool>(why));
  BOOST_CHECK_THROW(static_cast<void>(selection("n=3").matches(other[0])), tgmap::error);
}

BOOST_AUTO_TEST_CASE(unreadable_keys_are_a_failure_and_properties_are_not) {
  const bytes data = message({.objects = {bytes_object("abcd"), grid()}, .header_metadata = cbor::text("no map")});
  const auto archive = open(data);
  tgmap::failure why;
  BOOST_TEST(!selection("name=a").first_match(archive[0], why).is_match);
  BOOST_TEST(static_cast<bool>(why));
  BOOST_TEST((selection("@dtype=float32").first_match(archive[0], why).object == 1));
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(!selection("name=a").first_match(tgmap::message(), why).is_match);
  TGMAP_FAILED(why, errc::no_archive);
}

BOOST_AUTO_TEST_CASE(ranges_find_the_same_messages_and_objects) {
  const bytes data = two_fields() + six_messages() + two_named_objects() + two_fields();
  const auto archive = open(data);
  for (const char* text : {"mars.param=10u", "not mars.param=10u", "mars.param=10u and mars.step=6", "name=b",
                           "has unit", "mars.step!=6", "dtype=uint8 or mars.step=12"}) {
    const selection wanted(text);
    std::vector<std::size_t> found, expected;
    for (const auto& each : archive.find(wanted)) found.push_back(each.index);
    for (const auto& each : archive.objects(wanted))
      if (expected.empty() || expected.back() != each.message_index) expected.push_back(each.message_index);
    BOOST_TEST(found == expected, text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
