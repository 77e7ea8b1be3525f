// SPDX-License-Identifier: Apache-2.0
// The path cache: which messages have one, what it holds, and how much.
#include "archive/lookup/path_cache.hpp"
#include "archive/metadata/metadata_access.hpp"

#include <string>
#include <thread>
#include <vector>

#include "../metadata/read_metadata.hpp"

using namespace tgmap_test;
using inner::path_cache;

BOOST_AUTO_TEST_SUITE(path_cache_test)

namespace {

const bytes one = cbor::integer(1), two = cbor::integer(2);
tgmap::cbor_view value_of(const bytes& item) { return tgmap::cbor_view(span_of(item)); }

/// Returns the path cache of a message whose metadata frame holds `body`; null if it has none.
const path_cache* cache_of(const loaded_message& in) {
  const auto* const record = in.in.state->objects().find(in.in.message);
  const auto* const entries = record == nullptr ? nullptr : record->entries.load();
  return entries == nullptr ? nullptr : entries->wide_paths.get();
}

bytes extra_of(std::size_t size) {
  return cbor::map({cbor::key("_extra_", cbor::map({cbor::key("a", cbor::text(std::string(size, 'x')))}))});
}

}  // namespace

BOOST_AUTO_TEST_CASE(added_paths_are_found) {
  path_cache cache(10'000);
  BOOST_TEST(cache.find("a") == nullptr);
  cache.add("a", value_of(one));
  cache.add("", value_of(two));
  cache.add("nothing", std::nullopt);
  BOOST_REQUIRE(cache.find("a") != nullptr);
  BOOST_TEST(cache.find("a")->found->bytes_to_end().data() == span_of(one).data());
  BOOST_TEST(cache.find("")->found->bytes_to_end().data() == span_of(two).data());
  BOOST_TEST(!cache.find("nothing")->found);
  for (const char* const other : {"b", "aa", "A", "nothin"}) BOOST_TEST(cache.find(other) == nullptr);
  BOOST_TEST(cache.find(std::string_view("a\0", 2)) == nullptr);
}

BOOST_AUTO_TEST_CASE(paths_are_copied) {
  path_cache cache(10'000);
  std::string path(100, 'p');
  cache.add(path, value_of(one));
  path[50] = 'q';
  BOOST_TEST(cache.find(path) == nullptr);
  BOOST_TEST(cache.find(std::string(100, 'p')) != nullptr);
}

BOOST_AUTO_TEST_CASE(capacity_is_twice_the_size_of_the_keys) {
  path_cache cache(4096);
  std::size_t remembered = 0, size = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    const std::string path = "a.path.of.some.length." + std::to_string(i);
    cache.add(path, value_of(one));
    if (cache.find(path) == nullptr) continue;
    ++remembered;
    size += path.size() + sizeof(path_cache::entry);
  }
  BOOST_TEST(remembered > 16u);
  BOOST_TEST(size <= 2 * 4096u);
  // Older entries stay.
  BOOST_TEST(cache.find("a.path.of.some.length.0") != nullptr);
}

BOOST_AUTO_TEST_CASE(paths_longer_than_the_capacity_are_not_cached) {
  path_cache cache(2000);
  const std::string endless(10'000, 'x');
  cache.add(endless, std::nullopt);
  BOOST_TEST(cache.find(endless) == nullptr);
  cache.add("a", std::nullopt);
  BOOST_TEST(cache.find("a") != nullptr);
}

BOOST_AUTO_TEST_CASE(any_number_of_threads_add_and_find) {
  path_cache cache(1 << 20);
  std::vector<std::size_t> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (unsigned i = 0; i < 500; ++i) {
        const std::string path = "key" + std::to_string(i % 100);
        const bytes& item = i % 2 == 0 ? one : two;
        if (cache.find(path) == nullptr) cache.add(path, value_of(item));
        const auto* known = cache.find(path);
        if (known == nullptr || known->path != path || known->found->bytes_to_end().data() != span_of(item).data())
          ++wrong[t];
      }
    });
  for (auto& thread : threads) thread.join();
  BOOST_TEST(wrong == std::vector<std::size_t>(4, 0), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(only_large_metadata_of_many_objects_has_a_path_cache) {
  for (const unsigned objects : {1u, 16u, 17u, 100u})
    for (const std::size_t size : {std::size_t{0}, std::size_t{900}, std::size_t{1100}, std::size_t{5000}}) {
      const loaded_message t(extra_of(size), 3, objects);
      TGMAP_SUCCEEDED(t.why);
      BOOST_TEST((cache_of(t) != nullptr) ==
                 (objects >= inner::min_cached_objects && size > path_cache::min_metadata_bytes));
    }
}

BOOST_AUTO_TEST_CASE(entries_count_only_if_there_are_free_keys) {
  const std::vector<bytes> entries(40, text_map("a", std::string(100, 'x')));
  const cbor::pair base = cbor::key("base", cbor::array(entries));
  const loaded_message without(cbor::map({base}), 3, 40);
  BOOST_TEST(cache_of(without) == nullptr);
  const loaded_message beside(cbor::map({base, cbor::key("free", cbor::integer(1))}), 3, 40);
  BOOST_TEST(cache_of(beside) != nullptr);
  const loaded_message provenance(cbor::map({cbor::key("_reserved_", text_map("a", std::string(5000, 'x')))}), 3, 40);
  BOOST_TEST(cache_of(provenance) == nullptr);
}

BOOST_AUTO_TEST_CASE(refused_metadata_has_no_path_cache) {
  const loaded_message t(
      cbor::map({cbor::key("_extra_", text_map("a", std::string(5000, 'x'))), cbor::key("base", cbor::integer(1))}), 3,
      40);
  TGMAP_FAILED(t.why, tgmap::errc::wrong_kind);
  BOOST_TEST(cache_of(t) == nullptr);
}

BOOST_AUTO_TEST_CASE(objects_of_a_message_share_the_path_cache) {
  const loaded_message t(extra_of(5000), 3, 40);
  const path_cache* const cache = cache_of(t);
  BOOST_REQUIRE(cache != nullptr);
  const auto layers = [&](std::uint64_t j) {
    inner::metadata_sections sections;
    TGMAP_SUCCEEDED(inner::read_sections(*t.in.state, t.in.message, t.structure, j, sections));
    tgmap::metadata out;
    inner::metadata_access::add_message_wide(out, *t.in.state, sections);
    return out;
  };
  const auto found = layers(3).find("a");
  BOOST_REQUIRE(cache->find("a") != nullptr);
  BOOST_TEST(cache->find("a")->found->bytes_to_end().data() == found->bytes_to_end().data());
  BOOST_TEST(layers(7).find("a")->bytes_to_end().data() == found->bytes_to_end().data());
  BOOST_TEST(!layers(7).find("b"));
  BOOST_TEST(!cache->find("b")->found);
}

BOOST_AUTO_TEST_SUITE_END()
