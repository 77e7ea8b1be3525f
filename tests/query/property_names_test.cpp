// SPDX-License-Identifier: Apache-2.0
#include <boost/test/unit_test.hpp>
#include <support/selection_samples.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(properties)

namespace {

/// Returns an object with zstd, shuffle and a mask.
object_spec packed() {
  object_spec out = bytes_object("not really zstd");
  out.filter = "shuffle";
  out.compression = "zstd";
  out.byte_order = "big";
  out.masks = {{.kind = "nan", .method = "rle", .blob = bytes("\0\x0f", 2)}};
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(properties_of_an_object) {
  const bytes data = message({.objects = {grid(), packed()}});
  const auto archive = open(data);
  const auto m = archive[0];
  const auto expect = [&](std::size_t j, std::string_view key, const std::string& text) {
    BOOST_TEST(text_of(m, j, key) == text, key << " of " << j);
    if (!key.starts_with('@')) BOOST_TEST(text_of(m, j, "@" + std::string(key)) == text, key << " of " << j);
  };
  expect(0, "dtype", "float32");
  expect(0, "shape", "[2,3]");
  expect(0, "shape[0]", "2");
  expect(0, "shape[1]", "3");
  expect(0, "shape[2]", "-");
  expect(0, "strides", "[3,1]");
  expect(0, "strides[0]", "3");
  expect(0, "ndim", "2");
  expect(0, "encoding", "none");
  expect(1, "filter", "shuffle");
  expect(1, "compression", "zstd");
  expect(0, "byte_order", "little");
  expect(1, "byte_order", "big");
  expect(0, "@elements", "6");
  expect(0, "@decoded", "24");
  expect(0, "@stored", "24");
  expect(1, "@stored", "15");
  expect(0, "@masks", "0");
  expect(1, "@masks", "1");
  expect(0, "@object", "0");
  expect(1, "@object", "1");
  expect(1, "@payload", std::to_string(m[1].payload_offset()));
}

BOOST_AUTO_TEST_CASE(hash_has_sixteen_digits_or_is_absent) {
  const bytes with = message({.objects = {grid()}}), without = message({.objects = {grid()}, .hashes = false});
  const auto archive = open(with);
  const std::string hash = text_of(archive[0], 0, "hash");
  BOOST_TEST(hash.size() == 16u);
  BOOST_TEST(std::stoull(hash, nullptr, 16) == archive[0][0].stored_hash().value());
  const auto other = open(without);
  BOOST_TEST(text_of(other[0], 0, "hash") == "-");
}

BOOST_AUTO_TEST_CASE(properties_of_the_message) {
  const bytes first = six_messages(),
              data = first + message({.objects = {grid(), grid()}, .writing = writing::streamed});
  const auto archive = open(data);
  const auto m = archive[6];
  BOOST_TEST(text_of(m, "@message") == "6");
  BOOST_TEST(text_of(m, "@offset") == std::to_string(first.size()));
  BOOST_TEST(text_of(m, "@length") == std::to_string(data.size() - first.size()));
  BOOST_TEST(text_of(m, "@version") == "3");
  BOOST_TEST(text_of(m, "@objects") == "2");
  BOOST_TEST(text_of(m, "@index_location") == "footer");
  BOOST_TEST(text_of(m, "@streamed") == "true");
  BOOST_TEST(text_of(m, "@incomplete") == "false");
  BOOST_TEST(text_of(m, "@object") == "-");
  BOOST_TEST(text_of(m, 1, "@offset") == std::to_string(first.size()));
  BOOST_TEST(text_of(m, 1, "@message") == "6");
}

BOOST_AUTO_TEST_CASE(message_found_by_its_offset_has_no_number) {
  const bytes data = six_messages();
  const auto archive = open(data);
  BOOST_TEST(text_of(archive.at_offset(0), "@message") == "-");
  (void)archive.size();
  BOOST_TEST(text_of(archive.at_offset(0), "@message") == "0");
}

BOOST_AUTO_TEST_CASE(properties_of_the_first_object) {
  const bytes data = message({.objects = {grid(), packed()}});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "dtype") == "float32");
  BOOST_TEST(text_of(archive[0], "shape") == "[2,3]");
  BOOST_TEST(text_of(archive[0], "compression") == "none");
  BOOST_TEST(text_of(archive[0], "@stored") == "24");
}

BOOST_AUTO_TEST_CASE(metadata_wins_unless_the_key_begins_with_at) {
  const bytes data = with_keys({cbor::key("dtype", cbor::text("mine")), cbor::key("shape", cbor::numbers({7, 8}))});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], "dtype") == "mine");
  BOOST_TEST(text_of(archive[0], "@dtype") == "uint8");
  BOOST_TEST(text_of(archive[0], "shape[1]") == "8");
  BOOST_TEST(text_of(archive[0], "@shape[0]") == "4");
  BOOST_TEST(text_of(archive[0], 0, "dtype") == "mine");
  BOOST_TEST(text_of(archive[0], 0, "@dtype") == "uint8");
}

BOOST_AUTO_TEST_CASE(scalar_has_an_empty_shape) {
  object_spec scalar = numbers_object<float>("float32", {1});
  scalar.shape = {};
  const bytes data = message({.objects = {scalar}});
  const auto archive = open(data);
  BOOST_TEST(text_of(archive[0], 0, "shape") == "[]");
  BOOST_TEST(text_of(archive[0], 0, "ndim") == "0");
  BOOST_TEST(text_of(archive[0], 0, "shape[0]") == "-");
}

BOOST_AUTO_TEST_SUITE_END()
