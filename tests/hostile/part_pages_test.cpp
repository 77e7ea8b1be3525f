// SPDX-License-Identifier: Apache-2.0
// Reading a part reads the bytes that hold it, and no others.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>
#include <tgmap/decode/part_reader.hpp>
#include <tgmap/tgmap.hpp>

#include "failing_pread.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(part_pages_test)

namespace {

using numbers = std::vector<std::uint64_t>;

constexpr std::uint64_t rows = 300, columns = 400;

object_spec packed(std::uint64_t bits) {
  object_spec spec{.dtype = "float64", .shape = {rows, columns}, .payload = payload_of(1, rows * columns * bits / 8)};
  spec.encoding = "simple_packing";
  spec.more = {cbor::key("sp_reference_value", cbor::real(1.5)), cbor::key("sp_binary_scale_factor", cbor::integer(1)),
               cbor::key("sp_decimal_scale_factor", cbor::integer(0)),
               cbor::key("sp_bits_per_value", cbor::integer(bits))};
  return spec;
}

object_spec plain() {
  return {.dtype = "uint16", .shape = {rows, columns}, .payload = payload_of(2, rows * columns * 2)};
}

/// Returns the bytes that `use` reads through a part_reader of the object.
template <class F>
std::vector<read_range> reads_of(const object_spec& spec, const tgmap::decode_options& how, F&& use) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", message({.objects = {spec}})), {.io = tgmap::io_mode::read});
  const tgmap::part_reader parts(archive[0][0], how);
  std::vector<read_range> reads;
  record_reads(&reads);
  use(parts);
  record_reads(nullptr);
  return reads;
}

std::uint64_t bytes_of(const std::vector<read_range>& reads) {
  std::uint64_t out = 0;
  for (const auto& each : reads) out += each.size;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_element_is_a_few_bytes) {
  const auto one = [](const tgmap::part_reader& parts) { (void)parts.range(54321, 1); };
  BOOST_TEST(bytes_of(reads_of(plain(), {}, one)) == 2u);
  for (const std::uint64_t bits : {8, 12, 16, 24}) {
    const auto reads = reads_of(packed(bits), {}, one);
    BOOST_TEST(reads.size() == 1u);
    BOOST_TEST(bytes_of(reads) == bits);  // eight elements from a byte boundary
  }
}

BOOST_AUTO_TEST_CASE(a_row_is_one_read) {
  const numbers start{7, 0}, count{1, columns};
  const auto reads = reads_of(packed(16), {}, [&](const tgmap::part_reader& parts) {
    (void)parts.slab({start, count, {}});
  });
  BOOST_TEST(reads.size() == 1u);
  BOOST_TEST(bytes_of(reads) == columns * 2);
}

BOOST_AUTO_TEST_CASE(a_column_is_read_by_rows_or_elements) {
  const numbers start{0, 9}, count{rows, 1};
  const auto column = [&](const tgmap::part_reader& parts) { (void)parts.slab({start, count, {}}); };
  const auto apart = reads_of(plain(), {.coalesce_bytes = 0}, column);
  BOOST_TEST(apart.size() == rows);
  BOOST_TEST(bytes_of(apart) == rows * 2);
  const auto along = reads_of(plain(), {.coalesce_bytes = columns * 2}, column);
  BOOST_TEST(along.size() == 1u);
  BOOST_TEST(bytes_of(along) == (rows - 1) * columns * 2 + 2);
}

BOOST_AUTO_TEST_CASE(cost_is_the_number_of_bytes_read) {
  const numbers start{3, 5}, count{40, 7}, stride{7, 11};
  for (const object_spec& spec : {plain(), packed(12)})
    for (const std::uint64_t ahead : {0, 100, 100000}) {
      tgmap::part_cost told;
      const auto reads = reads_of(spec, {.coalesce_bytes = ahead}, [&](const tgmap::part_reader& parts) {
        told = parts.cost({start, count, stride});
        (void)parts.slab({start, count, stride});
      });
      BOOST_TEST(told.bytes_read == bytes_of(reads));
      BOOST_TEST(!told.decodes_whole_object);
    }
}

BOOST_AUTO_TEST_CASE(nested_boxes_share_their_container) {
  const numbers start{10, 0}, below{11, 0}, count{5, columns};
  const std::vector<tgmap::slab> boxes{{start, count, {}}, {below, count, {}}, {start, count, {}}};
  std::vector<bytes> room(3, bytes(5 * columns * 2, '?'));
  std::vector<std::span<std::byte>> out;
  for (bytes& each : room) out.push_back(std::as_writable_bytes(std::span(each)));
  const auto reads = reads_of(plain(), {}, [&](const tgmap::part_reader& parts) { parts.slabs_into(boxes, out); });
  BOOST_TEST(bytes_of(reads) == 6 * columns * 2);
  BOOST_TEST((room[0] == room[2]));
}

BOOST_AUTO_TEST_SUITE_END()
