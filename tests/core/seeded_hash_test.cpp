// SPDX-License-Identifier: Apache-2.0
#include "core/seeded_hash.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::size_t count = 5000;

/// Returns the number of keys of the fullest bucket.
template <class Table>
std::size_t largest_bucket(const Table& in) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < in.bucket_count(); ++i) out = std::max(out, in.bucket_size(i));
  return out;
}

#if defined(__GLIBCXX__) && defined(__LP64__)

constexpr std::uint64_t factor = 0xc6a4a7935bd1e995;  // of libstdc++'s hash of bytes, MurmurHash64A

/// Returns the inverse of `factor` by Newton's iteration.
constexpr std::uint64_t inverse_factor() {
  std::uint64_t out = factor;
  for (int i = 0; i < 6; ++i) out *= 2 - factor * out;
  return out;
}

constexpr std::uint64_t mixed(std::uint64_t word) { return (word * factor ^ word * factor >> 47) * factor; }
constexpr std::uint64_t unmixed(std::uint64_t word) {
  word *= inverse_factor();
  return (word ^ word >> 47) * inverse_factor();
}

/// Returns different texts of 16 bytes with one std::hash: the second word undoes what the first one did.
std::vector<std::string> colliding_texts() {
  std::vector<std::string> out;
  for (std::uint64_t first = 1; first <= count; ++first) {
    const std::uint64_t begun = 0xc70f6907 ^ 16 * factor, wanted = 0x0123456789abcdef;
    const std::uint64_t words[2] = {first, unmixed(((begun ^ mixed(first)) * factor) ^ wanted)};
    out.emplace_back(reinterpret_cast<const char*>(words), sizeof words);
  }
  return out;
}

BOOST_AUTO_TEST_CASE(texts_that_collide_in_the_standard_hash) {
  const auto texts = colliding_texts();
  for (const std::string& each : texts)
    BOOST_REQUIRE_EQUAL(std::hash<std::string>{}(each), std::hash<std::string>{}(texts[0]));

  tgmap::core::text_map<int> owned;
  tgmap::core::text_set<std::string_view> borrowed;
  for (const std::string& each : texts) {
    owned.emplace(each, 1);
    borrowed.insert(each);
  }
  BOOST_TEST(owned.size() == count);
  BOOST_TEST(borrowed.size() == count);
  BOOST_TEST(largest_bucket(owned) < 20u);
  BOOST_TEST(largest_bucket(borrowed) < 20u);
}

#endif

BOOST_AUTO_TEST_CASE(numbers_that_collide_in_the_standard_hash) {
  std::unordered_map<std::uint64_t, int> standard(count);
  std::unordered_map<std::uint64_t, int, tgmap::core::seeded_hash> seeded(count);
  BOOST_REQUIRE_EQUAL(standard.bucket_count(), seeded.bucket_count());
  for (std::uint64_t i = 0; i < count; ++i) {
    standard.emplace(i * standard.bucket_count(), 1);
    seeded.emplace(i * seeded.bucket_count(), 1);
  }
  BOOST_TEST(largest_bucket(standard) == count);
  BOOST_TEST(largest_bucket(seeded) < 20u);
}

BOOST_AUTO_TEST_CASE(equal_keys_have_one_hash) {
  const tgmap::core::seeded_hash hash;
  BOOST_TEST(hash(std::string("mars.param")) == hash(std::string_view("mars.param")));
  BOOST_TEST(hash(std::string_view("mars.param")) != hash(std::string_view("mars.step")));
  BOOST_TEST(hash(std::uint64_t{1}) != hash(std::uint64_t{2}));
  tgmap::core::text_map<int> table{{"mars.step", 12}};
  BOOST_TEST(table.find(std::string_view("mars.step"))->second == 12);
}

}  // namespace
