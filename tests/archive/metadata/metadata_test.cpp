// SPDX-License-Identifier: Apache-2.0
// Message-wide keys.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/json.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(metadata_test)

namespace {

bytes extra(std::string_view name, std::int64_t n) {
  return cbor::map({cbor::key("_extra_", cbor::map({cbor::key(name, cbor::integer(n))}))});
}

}  // namespace

BOOST_AUTO_TEST_CASE(extra_and_unknown_keys_are_message_wide) {
  for (const int version : {2, 3}) {
    message_spec spec = numbered_spec(1, version);
    spec.extra = {cbor::key("run", cbor::text("x")),
                  cbor::key("list", cbor::array({cbor::integer(4), cbor::integer(5)}))};
    if (version == 3) spec.top = {cbor::key("stray", cbor::integer(9))};
    in_every_mode(message(spec), [&](const tgmap::archive& archive) {
      const auto m = archive[0].metadata();
      BOOST_TEST((m.get<std::string_view>("run") == "x"));
      BOOST_TEST((m.get<std::int64_t>("list[1]") == 5));
      BOOST_TEST((m.get<std::int64_t>("stray") == 9) == (version == 3));
      BOOST_TEST(!m.find("base"));
      BOOST_TEST(!m.find("_extra_"));
      BOOST_TEST(!m.find("n"));
      BOOST_TEST(!m.find("version"));
    });
  }
}

BOOST_AUTO_TEST_CASE(values_are_read_as_the_types_of_programs) {
  message_spec spec = numbered_spec(1);
  spec.extra = {cbor::key("step", cbor::integer(300)), cbor::key("below", cbor::integer(-1)),
                cbor::key("name", cbor::text("2t"))};
  const bytes data = message(spec);
  const auto archive = open(data);
  const auto m = archive[0].metadata();
  BOOST_TEST((m.get<int>("step") == 300 && m.get<short>("step") == 300 && m.get<unsigned>("step") == 300u));
  BOOST_TEST((m.get<float>("step") == 300.0f && m.get<double>("below") == -1.0));
  BOOST_TEST((m.get<std::string>("name") == "2t" && m.get<std::string_view>("name") == "2t"));
  BOOST_TEST((!m.get<std::uint8_t>("step") && !m.get<unsigned>("below") && !m.get<int>("name")));
  BOOST_TEST((!m.get<std::string>("step") && !m.get<bool>("step") && !m.get<int>("nothing")));
}

BOOST_AUTO_TEST_CASE(a_stray_version_is_a_key_like_any_other_in_version_3) {
  message_spec spec = numbered_spec(1);
  spec.top = {cbor::key("version", cbor::integer(3))};
  const bytes data = message(spec);
  const auto archive = open(data);
  BOOST_TEST((archive[0].metadata().get<std::int64_t>("version") == 3));
}

BOOST_AUTO_TEST_CASE(footer_metadata_wins_over_header_metadata) {
  for (const int version : {2, 3})
    for (const auto how : {writing::buffered, writing::streamed}) {
      message_spec spec = numbered_spec(1, version);
      spec.writing = how;
      spec.metadata = where::both;
      spec.header_metadata = extra("header", 1);
      spec.footer_metadata = extra("footer", 2);
      in_every_mode(message(spec), [](const tgmap::archive& archive) {
        const auto m = archive[0].metadata();
        BOOST_TEST((m.get<std::int64_t>("footer") == 2));
        BOOST_TEST(!m.find("header"));
      });
      spec.metadata = where::footer;
      in_every_mode(message(spec), [](const tgmap::archive& archive) {
        BOOST_TEST((archive[0].metadata().get<std::int64_t>("footer") == 2));
      });
      spec.metadata = where::header;
      in_every_mode(message(spec), [](const tgmap::archive& archive) {
        BOOST_TEST((archive[0].metadata().get<std::int64_t>("header") == 1));
      });
    }
}

BOOST_AUTO_TEST_CASE(provenance_is_separate) {
  message_spec spec = numbered_spec(1);
  spec.reserved = cbor::map({cbor::key("time", cbor::text("2026-01-01T00:00:00Z")),
                             cbor::key("encoder", cbor::map({cbor::key("name", cbor::text("tensogram"))}))});
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    const auto reserved = archive[0].provenance();
    BOOST_TEST((reserved.get<std::string_view>("encoder.name") == "tensogram"));
    BOOST_TEST(reserved.entries().size() == 2u);
    BOOST_TEST(!archive[0].metadata().find("_reserved_"));
    BOOST_TEST(!archive[0].metadata().find("encoder"));
  });
  const bytes none = numbered(1);
  const auto archive = open(none);
  BOOST_TEST(archive[0].provenance().entries().empty());
}

BOOST_AUTO_TEST_CASE(the_last_of_repeated_keys_counts) {
  message_spec spec = numbered_spec(1);
  spec.header_metadata =
      cbor::map({cbor::key("_extra_", cbor::map({cbor::key("a", cbor::integer(1)), cbor::key("b", cbor::integer(5)),
                                                 cbor::key("a", cbor::integer(2))}))});
  const bytes data = message(spec);
  const auto archive = open(data);
  const auto m = archive[0].metadata();
  BOOST_TEST((m.get<std::int64_t>("a") == 2));
  BOOST_TEST(canonical(to_json(m)) == R"({"a":2,"b":5})");
  BOOST_TEST(m.entries().size() == 2u);
}

BOOST_AUTO_TEST_CASE(bytes_after_the_map_are_ignored) {
  message_spec spec = numbered_spec(1);
  spec.header_metadata = extra("a", 1) + "anything";
  const bytes data = message(spec);
  const auto archive = open(data);
  BOOST_TEST((archive[0].metadata().get<std::int64_t>("a") == 1));
}

BOOST_AUTO_TEST_CASE(malformed_metadata_is_an_error_before_any_key_is_returned) {
  const auto broken = [](const bytes& body) {
    message_spec spec = numbered_spec(1);
    spec.header_metadata = body;
    const bytes data = message(spec);
    tgmap::failure met;
    in_every_mode(data, [&](const tgmap::archive& archive) {
      tgmap::failure why;
      BOOST_TEST(archive[0].metadata(why).entries().empty());
      met = why;
      BOOST_TEST(static_cast<bool>(why));
      BOOST_TEST(why.message == 0);
      (void)archive[0].base(0, why);
      BOOST_TEST(why.code == met.code);
      (void)archive[0][0].metadata(why);
      BOOST_TEST(why.code == met.code);
      BOOST_TEST(view_of(archive[0][0].payload()) == payload_of(1));
    });
    return met;
  };
  const bytes good = extra("a", 1);
  for (std::size_t kept = 0; kept < good.size(); ++kept) TGMAP_FAILED(broken(good.substr(0, kept)), errc::bad_cbor);
  for (const auto& item :
       {bytes("\xf8\x20", 2), bytes("\xe0"), bytes("\xf0"), bytes("\x1c"), bytes("\x5f\x01\xff"),
        bytes("\x7f\x41x\xff"), bytes("\xff"), bytes("\xbf\x61x\xff"), bytes("\x9b\xff\xff\xff\xff\xff\xff\xff\xff")}) {
    const bytes body =
        cbor::map({cbor::key("_extra_", cbor::map({cbor::key("good", cbor::integer(1)), cbor::key("bad", item)}))});
    BOOST_TEST_CONTEXT("item " << static_cast<unsigned>(static_cast<unsigned char>(item[0])))
    TGMAP_FAILED(broken(body), errc::bad_cbor);
  }
}

BOOST_AUTO_TEST_CASE(metadata_must_be_a_map_of_text_keys) {
  for (const auto& body : {cbor::array({}), cbor::integer(1), cbor::map({{cbor::integer(1), cbor::integer(1)}})}) {
    message_spec spec = numbered_spec(1);
    spec.header_metadata = body;
    const bytes data = message(spec);
    const auto archive = open(data);
    TGMAP_THROWS(archive[0].metadata(), errc::bad_cbor);
  }
}

BOOST_AUTO_TEST_CASE(tags_are_allowed_in_metadata) {
  message_spec spec = numbered_spec(1);
  spec.extra = {cbor::key("when", cbor::tag(1, cbor::integer(1700000000)))};
  const bytes data = message(spec);
  const auto archive = open(data);
  const auto when = archive[0].metadata().find("when");
  BOOST_TEST_REQUIRE(when.has_value());
  BOOST_TEST((when->tag() == 1u));
  BOOST_TEST((when->untagged().get<std::int64_t>() == 1700000000));
}

BOOST_AUTO_TEST_CASE(keys_other_than_text_are_left_out_of_entries) {
  message_spec spec = numbered_spec(1);
  spec.base = {cbor::map({{cbor::integer(1), cbor::text("one")}, cbor::key("a", cbor::integer(2))})};
  const bytes data = message(spec);
  const auto archive = open(data);
  BOOST_TEST(canonical(to_json(archive[0].base(0))) == R"({"a":2})");
}

BOOST_AUTO_TEST_SUITE_END()
