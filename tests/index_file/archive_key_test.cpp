// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <set>
#include <support/bytes.hpp>

#include "index_file/archive_key.hpp"
#include "index_file/record_digest.hpp"

using namespace tgmap_test;
using namespace tgmap::index_file;

namespace {

std::span<const std::byte> raw(const bytes& of) { return std::as_bytes(std::span(of)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(archive_key_test)

BOOST_AUTO_TEST_CASE(keys_have_a_power_of_two_of_bytes) {
  BOOST_TEST(key_size(0) == 0u);
  BOOST_TEST(key_size(16) == 16u);
  BOOST_TEST(key_size(100) == 64u);
  BOOST_TEST(key_size(4095) == 2048u);
  BOOST_TEST(key_size(4096) == 4096u);
  BOOST_TEST(key_size(UINT64_MAX) == 4096u);
}

BOOST_AUTO_TEST_CASE(a_key_is_xxh3_128_in_canonical_order) {
  // The values that xxhsum -H2 prints.
  BOOST_TEST(key_of({}) == "99aa06d3014798d86001c324468d497f");
  BOOST_TEST(key_of(raw("a")) == "a96faf705af16834e6c632b61e964e1f");
}

BOOST_AUTO_TEST_CASE(the_digest_of_records_depends_on_each_and_on_their_order_in_a_section) {
  const listed_message first{.offset = 0, .length = 100, .version = 3}, second{.offset = 100, .length = 50};
  const listed_object object{.offset = 24, .length = 60};
  const listed_gap gap{.begin = 150, .end = 160, .code = 7};
  const bytes layout = "layout";
  const auto digest = [](auto&&... add) {
    record_digest out;
    (add(out), ...);
    return out.value();
  };
  const auto with = [](const auto& record) { return [&record](record_digest& to) { to.add(record); }; };
  const auto with_layout = [&](record_digest& to) { to.add_layout(raw(layout)); };
  const std::set<std::uint64_t> different{digest(),
                                          digest(with(first)),
                                          digest(with(second)),
                                          digest(with(first), with(second)),
                                          digest(with(second), with(first)),
                                          digest(with(object)),
                                          digest(with(gap)),
                                          digest(with_layout),
                                          digest(with(first), with(object)),
                                          digest(with(first), with(object), with_layout, with(gap))};
  BOOST_TEST(different.size() == 10u);
  // Sections do not interleave: one may be read after the other.
  BOOST_TEST(digest(with(first), with(object), with(second)) == digest(with(object), with(first), with(second)));
}

BOOST_AUTO_TEST_SUITE_END()
