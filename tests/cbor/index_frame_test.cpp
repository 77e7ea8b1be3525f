// SPDX-License-Identifier: Apache-2.0
// Index frames, specification §3.1: random ones compared with libcbor, and every kind of damage.
#include "cbor/structure/index_frame.hpp"

#include <cbor.h>

#include <boost/test/unit_test.hpp>
#include <random>
#include <support/failures.hpp>

#include "cbor/prescan.hpp"
#include "reference.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;
using tgmap::cbor::index_view;

BOOST_AUTO_TEST_SUITE(index_frame_test)

namespace {

using numbers = std::vector<std::uint64_t>;

failure read(const bytes& body, index_view& out) { return tgmap::cbor::read_index(span_of(body), out); }
failure read(const bytes& body) {
  index_view out;
  return read(body, out);
}

numbers all(tgmap::cbor::integers list) {
  numbers out;
  for (std::uint64_t n = 0; list.next(n);) out.push_back(n);
  BOOST_TEST(!list.bad());
  return out;
}

bytes until_break(const numbers& list) {
  std::vector<bytes> items;
  for (const auto n : list) items.push_back(cbor::unsigned_integer(n));
  return cbor::array_until_break(items);
}

/// Returns the array of unsigned integers under `key` by libcbor; nothing if there is none.
std::optional<numbers> by_libcbor(const bytes& body, std::string_view key) {
  cbor_load_result result{};
  cbor_item_t* top = cbor_load(reinterpret_cast<cbor_data>(body.data()), body.size(), &result);
  std::optional<numbers> out;
  if (top != nullptr && cbor_isa_map(top))
    for (std::size_t i = 0; i < cbor_map_size(top); ++i) {
      const cbor_pair pair = cbor_map_handle(top)[i];
      if (!cbor_isa_string(pair.key) || !cbor_string_is_definite(pair.key)) continue;
      const std::string_view name(reinterpret_cast<const char*>(cbor_string_handle(pair.key)),
                                  cbor_string_length(pair.key));
      if (name != key) continue;
      out.reset();
      if (!cbor_isa_array(pair.value)) continue;
      out.emplace();
      for (std::size_t n = 0; n < cbor_array_size(pair.value); ++n) {
        cbor_item_t* item = cbor_array_handle(pair.value)[n];
        if (!cbor_isa_uint(item)) {
          out.reset();
          break;
        }
        out->push_back(cbor_get_int(item));
      }
    }
  if (top != nullptr) cbor_decref(&top);
  return out;
}

numbers random_numbers(std::mt19937_64& random, std::size_t count) {
  numbers out(count);
  for (auto& n : out) n = random() >> (random() % 64);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_indexes_read_as_libcbor_reads_them) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 3000; ++round) {
    const std::size_t count = random() % 40;
    const numbers offsets = random_numbers(random, count), lengths = random_numbers(random, count);
    std::vector<cbor::pair> pairs{cbor::key("offsets", round % 3 ? cbor::numbers(offsets) : until_break(offsets))};
    if (round % 4) pairs.push_back(cbor::key("lengths", round % 5 ? cbor::numbers(lengths) : until_break(lengths)));
    if (round % 2) pairs.push_back(cbor::key("object_count", cbor::unsigned_integer(count)));
    if (round % 7 == 0) pairs.push_back(cbor::key("other", for_libcbor(random_item(random, 2))));
    std::shuffle(pairs.begin(), pairs.end(), random);
    const bytes body = round % 6 ? cbor::map(pairs) : cbor::map_until_break(pairs);

    index_view view;
    const failure why = read(body, view);
    BOOST_REQUIRE_MESSAGE(!why, why.text() << ": " << to_hex(body));
    BOOST_REQUIRE(view.count == count);
    BOOST_REQUIRE(all(view.offsets) == by_libcbor(body, "offsets"));
    BOOST_REQUIRE(all(view.offsets) == offsets);
    BOOST_REQUIRE(view.lengths.valid() == (round % 4 != 0));
    if (view.lengths.valid()) BOOST_REQUIRE(all(view.lengths) == lengths);
  }
}

BOOST_AUTO_TEST_CASE(damaged_indexes_read_as_libcbor_reads_them_or_fail) {
  std::mt19937_64 random(2);
  unsigned read_all = 0;
  for (unsigned round = 0; round < 30000; ++round) {
    const std::size_t count = random() % 4;
    bytes body = mutated(cbor::map({cbor::key("lengths", cbor::numbers(random_numbers(random, count))),
                                    cbor::key("offsets", cbor::numbers(random_numbers(random, count)))}),
                         random);
    index_view view;
    if (read(body, view)) continue;
    if (tgmap::cbor::prescan(span_of(body), 256, tgmap::cbor::rules::metadata))
      continue;                           // simple values in keys that are ignored
    if (!libcbor_length(body)) continue;  // text that is not UTF-8
    ++read_all;
    const auto offsets = by_libcbor(body, "offsets");
    BOOST_REQUIRE_MESSAGE(offsets.has_value(), to_hex(body));
    BOOST_REQUIRE_MESSAGE(all(view.offsets) == *offsets, to_hex(body));
    if (view.lengths.valid()) BOOST_REQUIRE_MESSAGE(all(view.lengths) == by_libcbor(body, "lengths"), to_hex(body));
  }
  BOOST_TEST(read_all > 3000u);
}

BOOST_AUTO_TEST_CASE(the_index_of_the_worked_example) {
  const bytes body = from_hex(
      "a3676c656e6774687381"
      "18c1"
      "676f666673657473"
      "8118c8"
      "6c6f626a6563745f636f756e74"
      "01");
  index_view view;
  TGMAP_SUCCEEDED(read(body, view));
  BOOST_TEST(view.count == 1u);
  BOOST_TEST(all(view.offsets) == numbers{200});
  BOOST_TEST(all(view.lengths) == numbers{193});
}

BOOST_AUTO_TEST_CASE(offsets_alone_are_an_index) {
  index_view view;
  TGMAP_SUCCEEDED(read(cbor::map({cbor::key("offsets", cbor::numbers({24, 100}))}), view));
  BOOST_TEST(view.count == 2u);
  BOOST_TEST(!view.lengths.valid());
  TGMAP_SUCCEEDED(read(cbor::map({cbor::key("offsets", cbor::array({}))}), view));
  BOOST_TEST(view.count == 0u);
}

BOOST_AUTO_TEST_CASE(an_index_needs_offsets) {
  for (const bytes& body :
       {bytes(), cbor::integer(1), cbor::array({}), cbor::map({}), cbor::map_until_break({}),
        cbor::map({cbor::key("lengths", cbor::numbers({1}))}), cbor::map({cbor::key("offset", cbor::numbers({1}))}),
        cbor::map({{cbor::blob("offsets"), cbor::numbers({1})}}),
        cbor::tag(1, cbor::map({cbor::key("offsets", cbor::numbers({1}))}))})
    TGMAP_FAILED(read(body), errc::bad_index);
}

BOOST_AUTO_TEST_CASE(offsets_and_lengths_are_arrays_of_unsigned_integers) {
  for (const bytes& wrong :
       {cbor::integer(1), cbor::text("x"), cbor::map({}), cbor::null(), cbor::tag(1, cbor::numbers({1})),
        cbor::array({cbor::integer(-1)}), cbor::array({cbor::real(1)}), cbor::array({cbor::text("1")}),
        cbor::array({cbor::null()}), cbor::array({cbor::array({})}), cbor::array({cbor::tag(1, cbor::integer(1))}),
        cbor::array_until_break({cbor::integer(-1)})}) {
    TGMAP_FAILED(read(cbor::map({cbor::key("offsets", wrong)})), errc::bad_index);
    TGMAP_FAILED(read(cbor::map({cbor::key("offsets", cbor::numbers({1})), cbor::key("lengths", wrong)})),
                 errc::bad_index);
  }
}

BOOST_AUTO_TEST_CASE(counts_that_disagree_are_reported) {
  const failure lengths =
      read(cbor::map({cbor::key("offsets", cbor::numbers({1, 2, 3})), cbor::key("lengths", cbor::numbers({1, 2}))}));
  TGMAP_FAILED(lengths, errc::index_count_mismatch);
  BOOST_TEST(lengths.expected == 3u);
  BOOST_TEST(lengths.found == 2u);

  const failure stated =
      read(cbor::map({cbor::key("offsets", cbor::numbers({1, 2, 3})), cbor::key("object_count", cbor::integer(4))}));
  TGMAP_FAILED(stated, errc::index_count_mismatch);
  BOOST_TEST(stated.expected == 4u);
  BOOST_TEST(stated.found == 3u);

  for (const bytes& count : {cbor::integer(-1), cbor::text("1"), cbor::real(1), cbor::null(), cbor::array({})})
    TGMAP_FAILED(read(cbor::map({cbor::key("offsets", cbor::numbers({1})), cbor::key("object_count", count)})),
                 errc::bad_index);
}

BOOST_AUTO_TEST_CASE(keys_other_than_text_are_refused_and_unknown_ones_ignored) {
  const auto offsets = cbor::key("offsets", cbor::numbers({1}));
  for (const bytes& key :
       {cbor::integer(1), cbor::blob("x"), cbor::null(), cbor::array({}), cbor::tag(1, cbor::text("x"))})
    TGMAP_FAILED(read(cbor::map({offsets, {key, cbor::integer(1)}})), errc::bad_index);
  TGMAP_SUCCEEDED(read(cbor::map({offsets, cbor::key("x", cbor::array({cbor::null()}))})));
  TGMAP_SUCCEEDED(read(cbor::map({{cbor::text_in_pieces({"off", "sets"}), cbor::numbers({1})}})));
}

BOOST_AUTO_TEST_CASE(keys_of_an_index_are_unique) {
  const std::vector<cbor::pair> keys{cbor::key("offsets", cbor::numbers({7})), cbor::key("lengths", cbor::numbers({9})),
                                     cbor::key("object_count", cbor::integer(1))};
  TGMAP_SUCCEEDED(read(cbor::map(keys)));
  for (const auto& [key, value] : keys) {
    const std::string name = key.substr(1);
    for (const bytes& again :
         {key, cbor::wide_head(3, name.size(), 2) + name, cbor::text_in_pieces({name.substr(0, 3), name.substr(3)})}) {
      std::vector<cbor::pair> twice = keys;
      twice.emplace_back(again, value);
      const failure why = read(cbor::map(twice));
      TGMAP_FAILED(why, errc::duplicate_key);
      BOOST_TEST(why.found == cbor::map(keys).size());
    }
  }
  std::vector<cbor::pair> other = keys;
  for (int n = 0; n < 2; ++n) other.push_back(cbor::key("comment", cbor::integer(n)));
  TGMAP_SUCCEEDED(read(cbor::map(other)));
}

BOOST_AUTO_TEST_CASE(every_truncation_of_an_index_is_refused) {
  const bytes body =
      cbor::map({cbor::key("lengths", cbor::numbers({1000, 2000})), cbor::key("offsets", until_break({300, 4000}))});
  TGMAP_SUCCEEDED(read(body));
  for (std::size_t size = 0; size < body.size(); ++size)
    BOOST_TEST(static_cast<bool>(read(body.substr(0, size))), "cut to " << size);
}

BOOST_AUTO_TEST_CASE(a_malformed_map_is_reported_with_its_offset) {
  const auto offsets = cbor::key("offsets", cbor::numbers({1}));
  const bytes sound = cbor::map({offsets, cbor::key("a", cbor::integer(1))});
  const failure why = read(sound.substr(0, sound.size() - 1) + "\x1c");
  TGMAP_FAILED(why, errc::bad_cbor);
  BOOST_TEST(why.found < sound.size());
  BOOST_TEST(why.found >= cbor::map({offsets}).size());
}

BOOST_AUTO_TEST_CASE(single_integers) {
  using tgmap::cbor::integers;
  std::uint64_t n = 0;
  BOOST_TEST(!integers().valid());
  BOOST_TEST(!integers().next(n));
  BOOST_TEST(!integers(span_of("\x01")).valid());
  BOOST_TEST(!integers(span_of("")).valid());
  const bytes huge = cbor::head(4, std::uint64_t{1} << 60);
  BOOST_TEST(!integers(span_of(huge)).valid(), "more items than bytes");
  const bytes mixed = cbor::array({cbor::integer(5), cbor::integer(-5), cbor::integer(6)});
  integers list(span_of(mixed));
  BOOST_TEST(list.next(n));
  BOOST_TEST(n == 5u);
  BOOST_TEST(!list.next(n));
  BOOST_TEST(list.bad());
  BOOST_TEST(!list.next(n), "a bad list stays bad");
}

BOOST_AUTO_TEST_SUITE_END()
