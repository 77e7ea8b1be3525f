// SPDX-License-Identifier: Apache-2.0
// decode_options::verify compares the stored hash with the bytes that are decoded.
#include <boost/test/unit_test.hpp>
#include <limits>
#include <numeric>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/every_mode.hpp>
#include <support/failures.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/decode/decode_many.hpp>
#include <tgmap/write/writer.hpp>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(verified_decode_test)

namespace {

/// Returns a message with one object that has several blocks of 256 KiB.
bytes stored_by(const tgmap::pipeline& pipeline, bool missing = false, const tgmap::write_options& how = {}) {
  std::vector<double> values((std::size_t{1} << 19) + 3);
  std::iota(values.begin(), values.end(), 0.0);
  if (missing) values[5] = values[70000] = std::numeric_limits<double>::quiet_NaN();
  tgmap::new_message message;
  auto object = tgmap::new_object::of(std::span<const double>(values));
  object.pipeline = pipeline;
  object.pipeline.missing.allow_nan = missing;
  message.objects.emplace_back(std::move(object));
  return bytes(view_of(tgmap::to_bytes(message, how)));
}

/// Returns the file with another byte at this offset of the stored bytes of its object.
bytes with_damage(bytes file, std::uint64_t in_region) {
  const auto archive = tgmap::archive::from_memory(span_of(file));
  const auto at = static_cast<std::size_t>(archive[0][0].payload_offset() + in_region);
  file[at] = static_cast<char>(file[at] ^ 1);
  return file;
}

/// Checks that all ways to decode give the elements as without `verify`.
void check_same(const tgmap::object& object) {
  auto& threads = tgmap::shared_executor();
  const bytes wanted = bytes_of(object.decode());
  BOOST_TEST((bytes_of(object.decode({.verify = true})) == wanted));
  BOOST_TEST((bytes_of(object.decode({.executor = &threads, .verify = true})) == wanted));
  bytes out(wanted.size(), '\0');
  object.decode_into(std::as_writable_bytes(std::span(out)), {.verify = true});
  BOOST_TEST((out == wanted));
  BOOST_TEST((bytes_of(object.decode_range(3, 5, {.verify = true})) == wanted.substr(24, 40)));
}

/// Checks that no way to decode gives elements.
void check_mismatch(const tgmap::object& object) {
  auto& threads = tgmap::shared_executor();
  TGMAP_THROWS(object.decode({.verify = true}), errc::hash_mismatch);
  TGMAP_THROWS(object.decode({.executor = &threads, .verify = true}), errc::hash_mismatch);
  TGMAP_THROWS(object.decode_as(tgmap::dtype::float32, {.verify = true}), errc::hash_mismatch);
  TGMAP_THROWS(object.to_vector<double>({.verify = true}), errc::hash_mismatch);
  TGMAP_THROWS(object.decode_slab({{0}, {1}}, {.verify = true}), errc::hash_mismatch);
  tgmap::failure why;
  BOOST_TEST(bytes_of(object.decode({.verify = true}, why)).empty());
  BOOST_TEST(why.offset == object.payload_offset());
  BOOST_TEST(why.expected == *object.stored_hash());
  BOOST_TEST(why.found != why.expected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(intact_objects_decode_to_the_same_elements) {
  for (const bool missing : {false, true})
    for (const tgmap::pipeline& pipeline :
         {tgmap::pipeline{}, tgmap::pipeline{.filter = tgmap::filter::shuffle},
          tgmap::pipeline{.encoding = tgmap::encoding::simple_packing},
          tgmap::pipeline{.filter = tgmap::filter::shuffle, .compression = tgmap::compression::zstd},
          tgmap::pipeline{.compression = tgmap::compression::lz4}})
      BOOST_TEST_CONTEXT((missing ? "with" : "without") << " masks, " << static_cast<int>(pipeline.compression))
  in_every_mode(stored_by(pipeline, missing), [](const tgmap::archive& archive) { check_same(archive[0][0]); });
}

BOOST_AUTO_TEST_CASE(another_byte_of_the_payload_is_a_mismatch) {
  for (const tgmap::pipeline& pipeline : {tgmap::pipeline{}, tgmap::pipeline{.filter = tgmap::filter::shuffle},
                                          tgmap::pipeline{.encoding = tgmap::encoding::simple_packing}})
    for (const std::uint64_t at : {0U, 300000U})
      in_every_mode(with_damage(stored_by(pipeline), at), [](const tgmap::archive& archive) {
        BOOST_TEST(!bytes_of(archive[0][0].decode()).empty());  // nothing is checked
        check_mismatch(archive[0][0]);
      });
}

BOOST_AUTO_TEST_CASE(hashes_are_compared_before_a_codec_sees_the_bytes) {
  const bytes file = stored_by({.compression = tgmap::compression::zstd});
  in_every_mode(with_damage(file, 40), [](const tgmap::archive& archive) { check_mismatch(archive[0][0]); });
}

BOOST_AUTO_TEST_CASE(another_byte_of_a_mask_is_a_mismatch) {
  const bytes file = stored_by({}, true);
  const auto archive = tgmap::archive::from_memory(span_of(file));
  BOOST_TEST_REQUIRE(archive[0][0].payload_and_masks_size() > archive[0][0].payload_size());
  in_every_mode(with_damage(file, archive[0][0].payload_and_masks_size() - 1), [](const tgmap::archive& damaged) {
    tgmap::failure why;
    static_cast<void>(damaged[0][0].decode({.verify = true}, why));
    BOOST_TEST(bool(why));
  });
}

BOOST_AUTO_TEST_CASE(version_2_has_the_hash_in_the_descriptor) {
  const auto object = numbers_object<double>("float64", {1, 2, 3, 4, 5, 6, 7, 8});
  const bytes file = message({.version = 2, .objects = {object}});
  in_every_mode(file, [](const tgmap::archive& archive) { check_same(archive[0][0]); });
  in_every_mode(with_damage(file, 9), [](const tgmap::archive& archive) { check_mismatch(archive[0][0]); });
}

BOOST_AUTO_TEST_CASE(without_a_hash_nothing_is_checked) {
  const auto object = numbers_object<double>("float64", {1, 2, 3, 4, 5, 6, 7, 8});
  for (const int version : {2, 3})
    in_every_mode(with_damage(message({.version = version, .objects = {object}, .hashes = false}), 9),
                  [](const tgmap::archive& archive) {
                    BOOST_TEST(!archive[0][0].stored_hash());
                    check_same(archive[0][0]);
                  });
}

BOOST_AUTO_TEST_CASE(objects_without_elements_are_checked) {
  const bytes file = message({.objects = {numbers_object<double>("float64", {})}});
  in_every_mode(file, [](const tgmap::archive& archive) {
    BOOST_TEST(bytes_of(archive[0][0].decode({.verify = true})).empty());
  });
}

BOOST_AUTO_TEST_CASE(decode_many_reports_each_object_that_does_not_match) {
  const auto object = numbers_object<double>("float64", {1, 2, 3, 4});
  const bytes file = message({.objects = {object}}) + with_damage(message({.objects = {object}}), 9);
  in_every_mode(file, [](const tgmap::archive& archive) {
    const std::vector<tgmap::object> objects{archive[0][0], archive[1][0]};
    const auto result =
        tgmap::decode_each(objects, [](std::size_t, tgmap::tensor&&, const tgmap::failure&) { return true; },
                           {.decode = {.verify = true}, .failures = tgmap::on_failure::keep_going});
    BOOST_TEST_REQUIRE(result.failures.size() == 1u);
    BOOST_TEST(result.failures[0].index == 1u);
    TGMAP_FAILED(result.failures[0].cause, errc::hash_mismatch);
  });
}

BOOST_AUTO_TEST_SUITE_END()
