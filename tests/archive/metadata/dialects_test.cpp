// SPDX-License-Identifier: Apache-2.0
// Metadata of the releases before 0.6.0 (§5.2), all of wire version 2.
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/json.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(dialects_test)

namespace {

bytes with_metadata(const std::vector<cbor::pair>& keys) {
  message_spec spec;
  spec.version = 2;
  spec.objects = {bytes_object("first"), bytes_object("second")};
  spec.header_metadata = cbor::map(keys);
  return message(spec);
}

const cbor::pair version = cbor::key("version", cbor::integer(2));

}  // namespace

BOOST_AUTO_TEST_CASE(flat_maps_of_0_1_are_message_wide) {
  in_every_mode(with_metadata({version, cbor::key("mars", cbor::map({cbor::key("param", cbor::text("2t"))})),
                               cbor::key("run", cbor::integer(1))}),
                [](const tgmap::archive& archive) {
                  BOOST_TEST(canonical(to_json(archive[0].metadata())) == R"({"mars":{"param":"2t"},"run":1})");
                  BOOST_TEST(archive[0].base(0).entries().empty());
                  BOOST_TEST((archive[0][1].metadata().get<std::string_view>("mars.param") == "2t"));
                });
}

BOOST_AUTO_TEST_CASE(maps_of_0_2_keep_their_sections) {
  in_every_mode(with_metadata({version, cbor::key("common", cbor::map({cbor::key("class", cbor::text("od"))})),
                               cbor::key("payload", cbor::map({cbor::key("x", cbor::integer(1))})),
                               cbor::key("reserved", cbor::map({cbor::key("time", cbor::text("now"))})),
                               cbor::key("free", cbor::integer(3))}),
                [](const tgmap::archive& archive) {
                  const auto m = archive[0].metadata();
                  BOOST_TEST((m.get<std::int64_t>("free") == 3));
                  BOOST_TEST((archive[0].provenance().get<std::string_view>("time") == "now"));
                  BOOST_TEST(!m.find("reserved"));
                  BOOST_TEST((archive[0][0].metadata().get<std::int64_t>("free") == 3));
                  BOOST_TEST(archive[0].base(0).entries().empty());
                });
}

BOOST_AUTO_TEST_CASE(arrays_of_0_4_hold_one_entry_an_object) {
  const auto entry = [](const char* name) {
    return cbor::map({cbor::key("ndim", cbor::integer(1)), cbor::key("shape", cbor::numbers({5})),
                      cbor::key("strides", cbor::numbers({1})), cbor::key("dtype", cbor::text("uint8")),
                      cbor::key("name", cbor::text(name))});
  };
  in_every_mode(with_metadata({version,
                               cbor::key("common", cbor::map({cbor::key("class", cbor::text("od")),
                                                              cbor::key("name", cbor::text("common"))})),
                               cbor::key("payload", cbor::array({entry("a"), entry("b")})),
                               cbor::key("reserved", cbor::map({cbor::key("time", cbor::text("now"))})),
                               cbor::key("free", cbor::integer(3))}),
                [](const tgmap::archive& archive) {
                  BOOST_TEST((archive[0][0].metadata().get<std::string_view>("name") == "a"));
                  BOOST_TEST((archive[0][1].metadata().get<std::string_view>("name") == "b"));
                  BOOST_TEST((archive[0].base(1).get<std::string_view>("name") == "b"));
                  BOOST_TEST((archive[0][1].metadata().get<std::int64_t>("free") == 3));
                  BOOST_TEST((archive[0].metadata().get<std::int64_t>("free") == 3));
                  BOOST_TEST((archive[0].provenance().get<std::string_view>("time") == "now"));
                  // Keys that describe the tensor belong to the descriptor, not to the metadata.
                  BOOST_TEST(!archive[0][0].metadata().find("dtype"));
                  BOOST_TEST(!archive[0][0].metadata().find("shape"));
                });
}

BOOST_AUTO_TEST_CASE(the_version_key_is_hidden_in_every_dialect) {
  for (const auto& more : {cbor::key("free", cbor::integer(3)), cbor::key("common", cbor::map({})),
                           cbor::key("payload", cbor::array({})), cbor::key("base", cbor::array({}))})
    in_every_mode(with_metadata({version, more}),
                  [](const tgmap::archive& archive) { BOOST_TEST(!archive[0].metadata().find("version")); });
}

BOOST_AUTO_TEST_SUITE_END()
