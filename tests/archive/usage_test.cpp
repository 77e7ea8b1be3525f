// SPDX-License-Identifier: Apache-2.0
// Default-constructed handles report no_archive.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <tgmap/tgmap.hpp>
#include <type_traits>

static_assert(std::is_trivially_copyable_v<tgmap::message> && std::is_trivially_copyable_v<tgmap::object>);
static_assert(std::is_trivially_copyable_v<tgmap::frame> && std::is_trivially_copyable_v<tgmap::metadata>);
static_assert(std::is_trivially_copyable_v<tgmap::cbor_view> && sizeof(tgmap::cbor_view) == 16);
static_assert(std::is_trivially_copyable_v<tgmap::failure> && sizeof(tgmap::failure) == 64);
static_assert(sizeof(tgmap::message) <= 32 && sizeof(tgmap::object) <= 112 && sizeof(tgmap::frame) <= 64);
static_assert(std::is_trivially_copyable_v<tgmap::failure>);
static_assert(std::is_nothrow_copy_constructible_v<tgmap::descriptor> && sizeof(tgmap::descriptor) <= 384);
static_assert(std::is_nothrow_copy_assignable_v<tgmap::descriptor>);
static_assert(std::is_nothrow_copy_constructible_v<tgmap::array_view<float>> &&
              sizeof(tgmap::array_view<float>) <= 112);
static_assert(std::is_nothrow_copy_assignable_v<tgmap::array_view<float>>);
static_assert(std::is_nothrow_move_constructible_v<tgmap::archive>);
static_assert(std::input_iterator<tgmap::archive::iterator> && std::input_iterator<tgmap::frame_range::iterator>);

BOOST_AUTO_TEST_SUITE(usage_test)

BOOST_AUTO_TEST_CASE(a_default_archive_is_an_error) {
  const tgmap::archive none;
  BOOST_TEST(!none);
  TGMAP_THROWS(none[0], tgmap::errc::no_archive);
  TGMAP_THROWS(none.size(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.nth_from_end(0), tgmap::errc::no_archive);
  TGMAP_THROWS(none.at_offset(0), tgmap::errc::no_archive);
  TGMAP_THROWS(none.scan(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.reopen(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.begin(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.index_bytes(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.partition(1), tgmap::errc::no_archive);
  BOOST_TEST(none.size_bytes() == 0u);
  BOOST_TEST((none.mode() == tgmap::io_mode::automatic));
  BOOST_TEST(!none.is_in_memory());
  BOOST_TEST(none.gaps().empty());
  BOOST_TEST(!none.incomplete_tail());
  BOOST_TEST(none.scan_progress().messages == 0u);
  BOOST_TEST(!none.pin());
  BOOST_TEST(none.mode_reason() != nullptr);
  BOOST_TEST(none.options().max_objects == tgmap::open_options{}.max_objects);
  TGMAP_FAILED(none.prefetch(tgmap::object{}), tgmap::errc::no_archive);
}

BOOST_AUTO_TEST_CASE(a_default_message_is_an_error) {
  const tgmap::message none;
  BOOST_TEST(!none.index());
  BOOST_TEST(none.length() == 0u);
  BOOST_TEST(none.flags() == 0u);
  TGMAP_THROWS(none.bytes(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.size(), tgmap::errc::no_archive);
  TGMAP_THROWS(none[0], tgmap::errc::no_archive);
  TGMAP_THROWS(none.index_location(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.metadata(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.base(0), tgmap::errc::no_archive);
  TGMAP_THROWS(none.provenance(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.frames(), tgmap::errc::no_archive);
}

BOOST_AUTO_TEST_CASE(a_default_object_is_an_error) {
  const tgmap::object none;
  BOOST_TEST(none.payload_size() == 0u);
  TGMAP_THROWS(none.descriptor(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.metadata(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.payload(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.payload_and_masks(), tgmap::errc::no_archive);
  std::byte byte{};
  TGMAP_THROWS(none.read(0, {&byte, 1}), tgmap::errc::no_archive);
  TGMAP_THROWS(none.verify(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.view<float>(), tgmap::errc::no_archive);
  TGMAP_FAILED(none.why_not_in_place(tgmap::dtype::float32), tgmap::errc::no_archive);
}

BOOST_AUTO_TEST_CASE(a_default_frame_is_an_error) {
  const tgmap::frame none;
  TGMAP_THROWS(none.body(), tgmap::errc::no_archive);
  TGMAP_THROWS(none.verify(), tgmap::errc::no_archive);
  BOOST_TEST(!none.stored_hash());
  BOOST_TEST(!none.is_object());
  BOOST_TEST(none.body_size() == 0u);
  tgmap::frame_range range;
  tgmap::frame out;
  tgmap::failure why;
  BOOST_TEST(!range.next(out, why));
  TGMAP_SUCCEEDED(why);
}

BOOST_AUTO_TEST_CASE(a_value_without_bytes_is_null) {
  const tgmap::cbor_view none;
  BOOST_TEST(none.kind() == tgmap::cbor_kind::null);
  BOOST_TEST(none.size() == 0u);
  BOOST_TEST(none.bytes().empty());
  BOOST_TEST(!none.find("a"));
  BOOST_TEST(!none.at(0));
  BOOST_TEST(!none.at_path("a"));
  BOOST_TEST(!none.get<bool>());
  BOOST_TEST(!tgmap::metadata().find("a"));
  BOOST_TEST(tgmap::metadata().entries().empty());
  BOOST_TEST(tgmap::metadata().empty());
}

BOOST_AUTO_TEST_CASE(success_clears_an_old_failure) {
  const tgmap_test::bytes data = tgmap_test::numbered(0);
  const auto archive = tgmap_test::open(data);
  const auto message = archive[0];
  const auto object = message[0];
  const auto clears = [](auto&& call) {
    tgmap::failure why{.code = tgmap::make_error_code(tgmap::errc::no_archive)};
    (void)call(why);
    TGMAP_SUCCEEDED(why);
  };
  clears([&](auto& why) { return archive.at(0, why); });
  clears([&](auto& why) { return archive.nth_from_end(0, why); });
  clears([&](auto& why) { return archive.at_offset(0, why); });
  clears([&](auto& why) { return archive.size(why); });
  clears([&](auto& why) { return archive.reopen(why); });
  clears([&](auto& why) { return archive.partition(1, why); });
  clears([&](auto& why) { return message.bytes(why); });
  clears([&](auto& why) { return message.size(why); });
  clears([&](auto& why) { return message.at(0, why); });
  clears([&](auto& why) { return message.index_location(why); });
  clears([&](auto& why) { return message.frames(why); });
  clears([&](auto& why) { return message.metadata(why); });
  clears([&](auto& why) { return message.base(0, why); });
  clears([&](auto& why) { return message.provenance(why); });
  clears([&](auto& why) { return message.hash_list(why); });
  clears([&](auto& why) { return object.payload(why); });
  clears([&](auto& why) { return object.payload_and_masks(why); });
  clears([&](auto& why) { return object.descriptor(why); });
  clears([&](auto& why) { return object.metadata(why); });
  clears([&](auto& why) { return object.verify(why); });
  clears([&](auto& why) { return object.frame().body(why); });
  clears([&](auto& why) { return object.frame().verify(why); });
}

BOOST_AUTO_TEST_SUITE_END()
