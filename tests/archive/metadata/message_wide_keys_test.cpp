// SPDX-License-Identifier: Apache-2.0
// Lookups of message-wide keys give the same answer from the cache and from the file.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/shared_data.hpp>
#include <thread>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(message_wide_keys_test)

namespace {

using paths = std::vector<std::string>;
using answer = std::optional<bytes>;  ///< the item that was found

answer answer_of(const tgmap::metadata& in, std::string_view path) {
  const auto found = in.find(path);
  return found ? answer(bytes(view_of(found->bytes()))) : std::nullopt;
}

/// Returns the answer of a new archive of the same bytes, in which nothing is cached.
answer found_anew(const bytes& data, std::size_t message, std::size_t object, std::string_view path) {
  const auto archive = open_skipping(data);
  return answer_of(archive[message][object].metadata(), path);
}

bytes text_with_long_head(std::string_view text, unsigned width) {
  return cbor::wide_head(3, text.size(), width) + bytes(text);
}

cbor::pair number(std::string_view name, std::int64_t n) { return cbor::key(name, cbor::integer(n)); }

/// Returns message-wide keys in all encodings, some repeated, enough of them to be worth caching.
std::vector<cbor::pair> keys_for_all(unsigned fill) {
  const bytes mars = cbor::map({number("class", 1),
                                {text_with_long_head("step", 4), cbor::integer(2)},
                                number("class", 3),
                                cbor::key("list", cbor::numbers({10, 11, 12}))});
  std::vector<cbor::pair> out{number("twice", 1),
                              cbor::key("mars", cbor::map({number("param", 99)})),
                              {text_with_long_head("long head", 8), cbor::integer(4)},
                              {cbor::text_in_pieces({"in ", "pieces"}), cbor::integer(5)},
                              number("both", 6),
                              number("own", 7),
                              cbor::key("nothing", cbor::null()),
                              number("dotted.key", 8),
                              {cbor::integer(1), cbor::integer(9)},
                              {cbor::blob("twice"), cbor::integer(10)}};
  for (unsigned i = 0; i < fill; ++i) out.push_back(number("key" + std::to_string(i), i));
  out.push_back({cbor::text_in_pieces({"tw", "ice"}), cbor::integer(11)});
  out.push_back({text_with_long_head("both", 2), cbor::integer(12)});
  out.push_back(cbor::key("mars", mars));
  return out;
}

const paths& asked() {
  static const paths all{"twice",        "mars",        "mars.class", "mars.step", "mars.param", "mars.list[1]",
                         "mars.list[9]", "long head",   "in pieces",  "both",      "own",        "own.deeper",
                         "nothing",      "dotted.key",  "key0",       "key199",    "key9999",    "_extra_",
                         "base",         "version",     "name",       "",          ".",          "mars.",
                         "_reserved_",   "_extra_.own", "key1.deeper"};
  return all;
}

message_spec many_objects(int version, unsigned objects, unsigned fill) {
  message_spec spec;
  spec.version = version;
  std::vector<bytes> entries;
  for (unsigned i = 0; i < objects; ++i) {
    spec.objects.push_back(bytes_object(payload_of(i, 8)));
    entries.push_back(i % 3 == 0 ? cbor::map({number("own", 100 + i), number("name", i)})
                                 : cbor::map({cbor::key("mars", cbor::map({number("step", i)}))}));
  }
  if (version == 3) {
    spec.base = entries;
    spec.extra = keys_for_all(fill);
  } else {  // free keys, with the base after them
    std::vector<cbor::pair> top = keys_for_all(fill);
    std::erase_if(top, [](const cbor::pair& each) { return (each.first[0] & 0xe0) != 0x60; });  // all keys are text
    top.insert(top.begin() + 3, cbor::key("base", cbor::array(entries)));
    top.push_back(number("version", 2));
    spec.header_metadata = cbor::map(top);
  }
  return spec;
}

/// A message of release 0.5: message-wide keys are in `common`, and at top level.
message_spec old_dialect(unsigned objects, unsigned fill) {
  message_spec spec = many_objects(2, objects, 0);
  const std::vector<bytes> entries(objects, cbor::map({number("own", 1), number("ndim", 1)}));
  std::vector<cbor::pair> top{cbor::key("common", cbor::map(keys_for_all(fill))),
                              cbor::key("payload", cbor::array(entries)), number("version", 2), number("free", 1)};
  spec.header_metadata = cbor::map(top);
  return spec;
}

/// Checks that every object has the same values as in a new archive, for any number of lookups.
void check_answers(const tgmap::archive& archive, const bytes& data, std::size_t message, const paths& all) {
  const std::size_t objects = archive[message].size();
  for (unsigned round = 0; round < 2; ++round)
    for (std::size_t j = 0; j < objects; j += 13)
      for (const std::string& path : all) {
        const auto seen = answer_of(archive[message][j].metadata(), path);
        const auto expected = found_anew(data, message, j, path);
        BOOST_TEST_CONTEXT("object " << j << ", " << path) { BOOST_REQUIRE((seen == expected)); }
      }
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_objects_return_the_same_value) {
  for (const unsigned objects : {16u, 17u, 40u})
    for (const unsigned fill : {0u, 200u})
      for (const message_spec& spec :
           {many_objects(3, objects, fill), many_objects(2, objects, fill), old_dialect(objects, fill)}) {
        const bytes data = message(spec);
        in_every_mode(data, [&](const tgmap::archive& archive) { check_answers(archive, data, 0, asked()); });
      }
}

BOOST_AUTO_TEST_CASE(the_last_of_repeated_keys_wins) {
  for (const int version : {2, 3})
    for (const unsigned fill : {0u, 200u})
      in_every_mode(message(many_objects(version, 40, fill)), [&](const tgmap::archive& archive) {
        for (std::size_t j = 0; j < 40; ++j) {
          const auto keys = archive[0][j].metadata();
          BOOST_REQUIRE((keys.get<std::int64_t>("twice") == 11));
          BOOST_REQUIRE((keys.get<std::int64_t>("both") == 12));
          BOOST_REQUIRE((keys.get<std::int64_t>("mars.class") == 3));
          BOOST_REQUIRE(!keys.find("mars.param"));
          BOOST_REQUIRE((keys.get<std::int64_t>("mars.step") == (j % 3 == 0 ? 2 : static_cast<std::int64_t>(j))));
          BOOST_REQUIRE((keys.get<std::int64_t>("long head") == 4));
          BOOST_REQUIRE((keys.get<std::int64_t>("in pieces") == 5));
          BOOST_REQUIRE((keys.get<std::int64_t>("own") == (j % 3 == 0 ? 100 + static_cast<std::int64_t>(j) : 7)));
          BOOST_REQUIRE(keys.find("nothing").has_value());
          BOOST_REQUIRE(!keys.find("base"));
        }
      });
}

BOOST_AUTO_TEST_CASE(preceders_win_over_cached_values) {
  message_spec spec = many_objects(3, 40, 200);
  for (const std::size_t j : {5u, 30u})
    spec.objects[j].preceder = cbor::map({number("twice", 50), cbor::key("mars", cbor::map({number("class", 60)}))});
  in_every_mode(message(spec), [](const tgmap::archive& archive) {
    for (unsigned round = 0; round < 2; ++round)
      for (const std::size_t j : {4u, 5u, 6u, 29u, 30u, 31u}) {
        const auto keys = archive[0][j].metadata();
        const bool preceded = j % 25 == 5;
        BOOST_TEST((keys.get<std::int64_t>("twice") == (preceded ? 50 : 11)));
        BOOST_TEST((keys.get<std::int64_t>("mars.class") == (preceded ? 60 : 3)));
        BOOST_TEST((keys.get<std::int64_t>("mars.list[2]") == 12));
      }
  });
}

BOOST_AUTO_TEST_CASE(a_key_lookup_finds_the_same) {
  for (const int version : {2, 3}) {
    const bytes data = message(many_objects(version, 40, 200));
    in_every_mode(data, [&](const tgmap::archive& archive) {
      for (const std::string& path : asked()) {
        const tgmap::metadata_key wanted(path);
        for (std::size_t j = 0; j < 40; j += 3) {
          const auto fresh = open(data);
          const auto seen = tgmap::key_lookup(archive[0], archive[0][j]).find(wanted).text();
          BOOST_TEST(seen == tgmap::key_lookup(fresh[0], fresh[0][j]).find(wanted).text(), path << " of " << j);
        }
        const auto fresh = open(data);
        BOOST_REQUIRE(tgmap::key_lookup(archive[0]).find(wanted).text() ==
                      tgmap::key_lookup(fresh[0]).find(wanted).text());
      }
    });
  }
}

// More paths than the cache holds, and paths longer than its memory.
BOOST_AUTO_TEST_CASE(paths_that_are_not_cached_are_found) {
  const bytes data = message(many_objects(3, 20, 500));
  const auto archive = open(data);
  for (unsigned round = 0; round < 2; ++round)
    for (std::int64_t i = 0; i < 1000; ++i) {
      const auto found =
          archive[0][static_cast<std::size_t>(i) % 20].metadata().get<std::int64_t>("key" + std::to_string(i));
      BOOST_REQUIRE(found.has_value() == (i < 500));
      if (found) BOOST_REQUIRE(*found == i);
    }
  const std::string endless = "mars." + std::string(100'000, 'x');
  for (const std::size_t j : {0u, 1u, 2u}) BOOST_TEST(!archive[0][j].metadata().find(endless));
}

BOOST_AUTO_TEST_CASE(whole_keys_are_no_paths) {
  const auto integer_at = [](const std::optional<tgmap::cbor_view>& found) {
    return found ? found->get<std::int64_t>() : std::nullopt;
  };
  for (const unsigned fill : {0u, 200u}) {  // without a cache, and with one
    message_spec spec = many_objects(3, 20, fill);
    spec.extra.push_back(cbor::key("dotted", cbor::map({number("key", 20)})));
    spec.extra.push_back(number(std::string_view("\0dotted", 7), 21));
    in_every_mode(message(spec), [&](const tgmap::archive& archive) {
      for (unsigned round = 0; round < 2; ++round) {
        const tgmap::metadata keys = archive[0][1].metadata();
        BOOST_TEST((integer_at(keys.find_key("dotted.key")) == 8));
        BOOST_TEST((integer_at(keys.find("dotted.key")) == 20));
        BOOST_TEST((integer_at(keys.find_key(std::string_view("\0dotted", 7))) == 21));
        BOOST_TEST((integer_at(keys.find(std::string_view("\0dotted", 7))) == 21));
        BOOST_TEST(!keys.find_key("mars.class"));
        BOOST_TEST(!keys.find_key("base"));
        BOOST_TEST((integer_at(keys.find_key("twice")) == 11));
        BOOST_TEST((integer_at(keys.find_key("in pieces")) == 5));
      }
    });
  }
}

BOOST_AUTO_TEST_CASE(messages_do_not_share_cached_values) {
  const bytes data =
      message(many_objects(3, 20, 200)) + message(many_objects(2, 20, 100)) + message(many_objects(3, 20, 0));
  in_every_mode(data, [&](const tgmap::archive& archive) {
    for (unsigned round = 0; round < 2; ++round)
      for (std::size_t i = 0; i < 3; ++i)
        for (const char* const path : {"key0", "key50", "key150"})
          BOOST_TEST((answer_of(archive[i][3].metadata(), path) == found_anew(data, i, 3, path)));
  });
}

BOOST_AUTO_TEST_CASE(threads_read_keys_concurrently) {
  const bytes data = message(many_objects(3, 40, 200));
  const auto archive = open(data);
  std::vector<answer> expected;
  for (const std::string& path : asked()) expected.push_back(found_anew(data, 0, 1, path));
  std::vector<std::size_t> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (unsigned round = 0; round < 20; ++round)
        for (std::size_t i = 0; i < asked().size(); ++i)
          if (answer_of(archive[0][1].metadata(), asked()[i]) != expected[i]) ++wrong[t];
    });
  for (auto& thread : threads) thread.join();
  BOOST_TEST(wrong == std::vector<std::size_t>(4, 0), boost::test_tools::per_element());
}

// Keys of each object in all archives of tests/data that have many objects, by their own names and by those of others.
BOOST_AUTO_TEST_CASE(archives_of_the_reference) {
  std::size_t messages = 0;
  for (const auto& each : std::filesystem::directory_iterator(test_data())) {
    if (each.path().extension() != ".tgm") continue;
    const bytes data = read_file(each.path());
    const auto archive = open_skipping(data);
    tgmap::failure why;
    for (std::size_t i = 0; i < archive.size(why); ++i) {
      const auto m = archive.at(i, why);
      const std::size_t objects = m.size(why);
      if (why || objects == 0) continue;
      std::set<std::string> all{"name", "mars.param", "none"};
      m.metadata(why).visit(
          [&](std::string_view key, const tgmap::cbor_view&) { return all.emplace(key), all.size() < 20; });
      m.base(0, why).visit(
          [&](std::string_view key, const tgmap::cbor_view&) { return all.emplace(key), all.size() < 30; });
      if (why) continue;
      ++messages;
      BOOST_TEST_CONTEXT(each.path().filename() << ", message " << i) {
        for (const std::size_t j : {std::size_t{0}, objects / 2, objects - 1})
          for (const std::string& path : all) {
            tgmap::failure bad;
            const auto seen = answer_of(m.at(j, bad).metadata(bad), path);
            if (!bad) BOOST_REQUIRE((seen == found_anew(data, i, j, path)));
          }
      }
    }
  }
  BOOST_TEST(messages > 50u);
}

BOOST_AUTO_TEST_SUITE_END()
