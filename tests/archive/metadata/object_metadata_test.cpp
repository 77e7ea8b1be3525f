// SPDX-License-Identifier: Apache-2.0
// Layers of metadata: preceder over base entry over message.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/json.hpp>
#include <support/numbered.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(object_metadata_test)

namespace {

bytes reserved_of(int n) { return cbor::map({cbor::key("tensor", cbor::map({cbor::key("n", cbor::integer(n))}))}); }

message_spec layered(int version) {
  message_spec spec;
  spec.version = version;
  spec.objects = {bytes_object("first"), bytes_object("second")};
  spec.extra = {
      cbor::key("everywhere", cbor::integer(1)), cbor::key("both", cbor::text("extra")),
      cbor::key("mars", cbor::map({cbor::key("class", cbor::text("od")), cbor::key("step", cbor::integer(0))}))};
  spec.base = {
      cbor::map({cbor::key("_reserved_", reserved_of(0)), cbor::key("name", cbor::text("a"))}),
      cbor::map(
          {cbor::key("_reserved_", reserved_of(1)), cbor::key("name", cbor::text("b")),
           cbor::key("both", cbor::text("base")),
           cbor::key("mars", cbor::map({cbor::key("param", cbor::text("2t")), cbor::key("step", cbor::integer(6))}))})};
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_CASE(base_entries_win_over_the_message) {
  for (const int version : {2, 3})
    in_every_mode(message(layered(version)), [](const tgmap::archive& archive) {
      const auto first = archive[0][0].metadata(), second = archive[0][1].metadata();
      BOOST_TEST((first.get<std::string_view>("name") == "a"));
      BOOST_TEST((second.get<std::string_view>("name") == "b"));
      BOOST_TEST((first.get<std::string_view>("both") == "extra"));
      BOOST_TEST((second.get<std::string_view>("both") == "base"));
      BOOST_TEST((second.get<std::int64_t>("everywhere") == 1));
      BOOST_TEST((first.get<std::int64_t>("mars.step") == 0));
      BOOST_TEST((second.get<std::int64_t>("mars.step") == 6));
      BOOST_TEST((second.get<std::string_view>("mars.param") == "2t"));
      // A path that the object's own layers do not hold is looked up message-wide.
      BOOST_TEST((second.get<std::string_view>("mars.class") == "od"));
      BOOST_TEST(!first.find("mars.param"));
      BOOST_TEST(!first.find("_reserved_"));
      BOOST_TEST(!first.find("_reserved_.tensor.n"));
    });
}

BOOST_AUTO_TEST_CASE(base_returns_the_entry_with_reserved_keys) {
  for (const int version : {2, 3}) {
    const bytes data = message(layered(version));
    const auto archive = open(data);
    const auto base = archive[0].base(1);
    BOOST_TEST((base.get<std::int64_t>("_reserved_.tensor.n") == 1));
    BOOST_TEST(!base.find("everywhere"));
    BOOST_TEST((base.get<std::string_view>("both") == "base"));
    TGMAP_THROWS(archive[0].base(2), errc::out_of_range);
  }
}

BOOST_AUTO_TEST_CASE(a_preceder_replaces_whole_keys_of_the_entry) {
  for (const int version : {2, 3})
    for (const auto how : {writing::buffered, writing::streamed}) {
      message_spec spec = layered(version);
      spec.writing = how;
      spec.objects[1].preceder =
          cbor::map({cbor::key("mars", cbor::map({cbor::key("levelist", cbor::numbers({500, 850}))})),
                     cbor::key("_reserved_", reserved_of(99)), cbor::key("new", cbor::boolean(true))});
      in_every_mode(message(spec), [](const tgmap::archive& archive) {
        const auto second = archive[0][1].metadata();
        BOOST_TEST((second.get<std::int64_t>("mars.levelist[1]") == 850));
        BOOST_TEST(!second.find("mars.param"));                    // hidden as a whole
        BOOST_TEST((second.get<std::int64_t>("mars.step") == 0));  // from the message: that of the entry is hidden
        BOOST_TEST((second.get<std::string_view>("name") == "b"));
        BOOST_TEST((second.get<bool>("new") == true));
        BOOST_TEST((archive[0].base(1).get<std::int64_t>("_reserved_.tensor.n") == 1));
        BOOST_TEST(!archive[0].base(0).find("new"));
        BOOST_TEST(!archive[0][0].metadata().find("mars.levelist"));
      });
    }
}

BOOST_AUTO_TEST_CASE(a_preceder_without_an_entry_hides_nothing_of_the_message) {
  for (const int version : {2, 3}) {
    message_spec spec = layered(version);
    spec.base.resize(1);
    spec.objects[1].preceder = cbor::map({cbor::key("mars", cbor::map({cbor::key("levelist", cbor::integer(500))}))});
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      const auto second = archive[0][1].metadata();
      BOOST_TEST((second.get<std::int64_t>("mars.levelist") == 500));
      BOOST_TEST((second.get<std::string_view>("mars.class") == "od"));
      BOOST_TEST((second.get<std::int64_t>("mars.step") == 0));
    });
  }
}

BOOST_AUTO_TEST_CASE(visible_keys_are_listed_once_innermost_first) {
  message_spec spec = layered(3);
  spec.objects[1].preceder = cbor::map({cbor::key("new", cbor::boolean(true)), cbor::key("name", cbor::text("c"))});
  const bytes data = message(spec);
  const auto archive = open(data);
  std::vector<std::string> keys;
  archive[0][1].metadata().visit([&](std::string_view key, const tgmap::cbor_view&) {
    keys.emplace_back(key);
    return true;
  });
  const std::vector<std::string> expected{"new", "name", "both", "mars", "everywhere"};
  BOOST_TEST(keys == expected, boost::test_tools::per_element());
  std::size_t seen = 0;
  BOOST_TEST(!archive[0][1].metadata().visit([&](std::string_view, const tgmap::cbor_view&) { return ++seen < 2; }));
  BOOST_TEST(seen == 2u);
}

BOOST_AUTO_TEST_CASE(missing_entries_are_empty) {
  for (const int version : {2, 3}) {
    message_spec spec = layered(version);
    spec.base.resize(1);
    const bytes data = message(spec);
    const auto archive = open(data);
    BOOST_TEST(archive[0].base(1).entries().empty());
    BOOST_TEST((archive[0][1].metadata().get<std::int64_t>("everywhere") == 1));
    BOOST_TEST((archive[0][0].metadata().get<std::string_view>("name") == "a"));
    spec.base.clear();
    const bytes without = message(spec);
    const auto other = open(without);
    BOOST_TEST(other[0].base(0).entries().empty());
  }
}

BOOST_AUTO_TEST_CASE(more_entries_than_objects_are_refused) {
  for (const int version : {2, 3}) {
    message_spec spec = layered(version);
    spec.base.push_back(cbor::map({}));
    in_every_mode(message(spec), [](const tgmap::archive& archive) {
      tgmap::failure why;
      (void)archive[0].base(0, why);
      TGMAP_FAILED(why, errc::base_count_mismatch);
      BOOST_TEST(why.expected == 2u);
      BOOST_TEST(why.found == 3u);
      (void)archive[0][1].metadata(why);
      TGMAP_FAILED(why, errc::base_count_mismatch);
    });
  }
}

BOOST_AUTO_TEST_CASE(streams_may_have_more_entries_in_their_header) {
  message_spec spec = layered(3);
  spec.writing = writing::streamed;
  spec.header_metadata = cbor::map({cbor::key("base", cbor::array({cbor::map({}), cbor::map({}), cbor::map({})}))});
  const bytes data = message(spec);
  const auto archive = open(data);
  BOOST_TEST((archive[0].base(1).get<std::string_view>("name") == "b"));
}

BOOST_AUTO_TEST_CASE(a_preceder_has_exactly_one_entry) {
  for (const auto& entries : {cbor::array({}), cbor::array({cbor::map({}), cbor::map({})})}) {
    message_spec spec = layered(3);
    spec.index = where::none;
    spec.frames_before[1] = {{.type = 8, .body = cbor::map({cbor::key("base", entries)})}};
    const bytes data = message(spec);
    const auto archive = open(data);
    tgmap::failure why;
    (void)archive[0].base(1, why);
    TGMAP_FAILED(why, errc::bad_preceder);
    BOOST_TEST((why.found == 0u || why.found == 2u));
    (void)archive[0].base(0, why);
    TGMAP_SUCCEEDED(why);
  }
}

BOOST_AUTO_TEST_CASE(the_preceder_of_release_0_5_has_the_key_payload) {
  message_spec spec = layered(2);
  spec.frames_before[0] = {
      {.type = 8,
       .body = cbor::map({cbor::key("payload", cbor::array({cbor::map({cbor::key("p", cbor::integer(8))})})),
                          cbor::key("version", cbor::integer(2))})}};
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    BOOST_TEST((archive[0][0].metadata().get<std::int64_t>("p") == 8));
    BOOST_TEST((archive[0][0].metadata().get<std::string_view>("name") == "a"));
  });
}

BOOST_AUTO_TEST_CASE(the_order_of_lookups_does_not_matter) {
  const bytes entry = cbor::map({cbor::key("name", cbor::text("a"))});
  const std::vector<std::vector<bytes>> bases{{entry, entry},
                                              {entry},
                                              {},
                                              {entry, entry, entry},  // more entries than objects
                                              {cbor::integer(1), entry},
                                              {entry, cbor::integer(1)},
                                              {cbor::null(), entry},
                                              {entry, cbor::null()}};
  for (const auto& base : bases)
    for (const int version : {2, 3}) {
      message_spec spec;
      spec.version = version;
      spec.objects = {bytes_object("first"), bytes_object("second")};
      spec.header_metadata = cbor::map(
          {cbor::key("base", cbor::array(base)), cbor::key("_extra_", cbor::map({cbor::key("x", cbor::integer(1))}))});
      in_every_mode(message(spec), [](const tgmap::archive& archive) {
        // 0, 1: an object; 2: the message.
        const auto answer = [](const tgmap::archive& in, int what) {
          tgmap::failure why;
          const auto keys = what == 2 ? in[0].metadata(why) : in[0][static_cast<std::size_t>(what)].metadata(why);
          return std::to_string(why.code.value()) + " " + std::to_string(keys.entries().size());
        };
        std::vector<std::string> alone;
        for (int what = 0; what < 3; ++what) {
          const tgmap::archive fresh = archive.reopen();
          static_cast<void>(fresh.size());
          alone.push_back(answer(fresh, what));
        }
        std::vector<int> order{0, 1, 2};
        do {
          const tgmap::archive fresh = archive.reopen();
          static_cast<void>(fresh.size());
          for (int round = 0; round < 2; ++round)
            for (const int what : order) BOOST_TEST(answer(fresh, what) == alone[static_cast<std::size_t>(what)]);
        } while (std::ranges::next_permutation(order).found);
      });
    }
}

BOOST_AUTO_TEST_SUITE_END()
