// SPDX-License-Identifier: Apache-2.0
// Failures: their texts, and how they are thrown.
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <new>
#include <support/failures.hpp>
#include <tgmap/error.hpp>
#include <type_traits>

#include "core/phrases.hpp"
#include "errc_table.hpp"

using tgmap::errc;
using tgmap::failure;

static_assert(std::is_trivially_copyable_v<failure>);
static_assert(std::is_nothrow_copy_constructible_v<tgmap::error>, "or it could not be rethrown safely");

BOOST_AUTO_TEST_SUITE(failure_test)

BOOST_AUTO_TEST_CASE(an_empty_failure_is_success) {
  const failure none;
  BOOST_TEST(!none);
  BOOST_TEST(none.text() == "no error");
  BOOST_TEST(!std::error_code(none));
  BOOST_TEST(!none.message);
  BOOST_TEST(!none.object);
  BOOST_TEST(none.argument == nullptr);
}

BOOST_AUTO_TEST_CASE(the_example_of_the_header) {
  const failure why{
      .code = errc::frame_exceeds_message, .offset = 0x3a10, .expected = 812, .found = 640, .message = 17};
  BOOST_TEST(why.text() == "frame length 812 exceeds the 640 bytes left (message 17, offset 0x3a10)");
}

BOOST_AUTO_TEST_CASE(numbers_replace_their_placeholders) {
  const failure range{.code = errc::out_of_range, .expected = 3, .found = 7};
  BOOST_TEST(range.text() == "number 7 is not below the count 3");
  const failure huge{.code = errc::out_of_range, .expected = 0, .found = UINT64_MAX};
  BOOST_TEST(huge.text() == "number 18446744073709551615 is not below the count 0");
  const failure gap{.code = errc::damaged, .expected = 0xff, .found = 0x10};
  BOOST_TEST(gap.text() == "numbering ends at the gap from 0x10 to 0xff");
  const failure kinds{.code = errc::wrong_kind, .expected = 4, .found = 7};
  BOOST_TEST(kinds.text() == "a value of kind map instead of text");
  const failure dtypes{.code = errc::dtype_mismatch, .expected = 2, .found = 6};
  BOOST_TEST(dtypes.text() == "dtype int8 is stored, not float32");
  const failure beyond{.code = errc::dtype_mismatch, .expected = 15, .found = UINT64_MAX};
  BOOST_TEST(beyond.text() == "dtype 18446744073709551615 is stored, not 15");
}

BOOST_AUTO_TEST_CASE(a_changed_archive_of_the_same_size_is_told_without_sizes) {
  const failure other{.code = errc::archive_changed, .expected = 700, .found = 700};
  BOOST_TEST(other.text() == "another program has changed the archive");
  const failure longer{.code = errc::archive_changed, .expected = 700, .found = 900};
  BOOST_TEST(longer.text() ==
             "another program has changed or replaced the archive meanwhile: 900 bytes where 700 were left");
}

BOOST_AUTO_TEST_CASE(every_text_is_filled_in) {
  for (const auto& row : tgmap_test::all_errcs()) {
    const failure why{.code = row.code(), .expected = 7001, .found = 9002};
    const std::string text = why.text();
    BOOST_TEST(text.find('{') == text.npos, text);
    BOOST_TEST(text.find('}') == text.npos, text);
    const auto phrase = tgmap::detail::phrase(row.code());
    const auto holds = [&](std::string_view place) { return phrase.find(place) != phrase.npos; };
    // No dtype and no kind has this number, so that the text shows the number.
    BOOST_TEST((holds("{e}") || holds("{e:d}") || holds("{e:k}")) == (text.find("7001") != text.npos), text);
    BOOST_TEST((holds("{f}") || holds("{f:d}") || holds("{f:k}")) == (text.find("9002") != text.npos), text);
    BOOST_TEST(holds("{e:x}") == (text.find("0x1b59") != text.npos), text);
    BOOST_TEST(holds("{f:x}") == (text.find("0x232a") != text.npos), text);
  }
}

BOOST_AUTO_TEST_CASE(unknown_locations_are_omitted) {
  failure why{.code = errc::no_metadata};
  BOOST_TEST(why.text() == "the message has no metadata frame");
  why.offset = 24;
  BOOST_TEST(why.text() == "the message has no metadata frame (offset 0x18)");
  why.message = 2;
  BOOST_TEST(why.text() == "the message has no metadata frame (message 2, offset 0x18)");
  why.object = 5;
  BOOST_TEST(why.text() == "the message has no metadata frame (message 2, object 5, offset 0x18)");
  why.offset = 0;
  BOOST_TEST(why.text() == "the message has no metadata frame (message 2, object 5, offset 0x0)");
  why.message.reset();
  BOOST_TEST(why.text() == "the message has no metadata frame (object 5)");
}

BOOST_AUTO_TEST_CASE(a_number_that_may_be_absent_works_as_std_optional) {
  static_assert(std::is_trivially_copyable_v<tgmap::optional_index> && sizeof(tgmap::optional_index) == 8);
  tgmap::optional_index index;
  BOOST_TEST(!index.has_value());
  BOOST_TEST(index.value_or(9) == 9u);
  BOOST_TEST((index == std::nullopt));
  index = 0;
  BOOST_TEST(index.has_value());
  BOOST_TEST(*index == 0u);
  BOOST_TEST((index == 0 && index != 1 && index != std::nullopt));
  index = std::optional<std::uint64_t>(5);
  BOOST_TEST(index.value_or(9) == 5u);
  index = std::optional<std::uint64_t>();
  BOOST_TEST(!index);
}

BOOST_AUTO_TEST_CASE(an_option_is_reported_by_its_name) {
  const failure why{.code = errc::invalid_option, .found = 5, .argument = "open_options::offset"};
  BOOST_TEST(why.text() == "open_options::offset: invalid option value 5");
}

BOOST_AUTO_TEST_CASE(an_error_may_have_a_context) {
  const failure why{.code = {ENOENT, std::system_category()}};
  const tgmap::error thrown(why, "cannot open 'x.tgm'");
  BOOST_TEST(thrown.what() == "cannot open 'x.tgm': " + why.text());
  BOOST_TEST(thrown.details().text() == why.text());
}

BOOST_AUTO_TEST_CASE(errors_of_the_operating_system_keep_their_words) {
  const failure why{.code = {ENOENT, std::system_category()}, .offset = 16};
  BOOST_TEST(why.text() == std::system_category().message(ENOENT) + " (offset 0x10)");
  BOOST_TEST((why.code == std::errc::no_such_file_or_directory));
}

BOOST_AUTO_TEST_CASE(a_failure_is_an_error_code) {
  const failure why{.code = errc::masked, .expected = 1};
  const std::error_code code = why;
  BOOST_TEST((code == errc::masked));
  BOOST_TEST(static_cast<bool>(why));
}

BOOST_AUTO_TEST_CASE(an_error_carries_its_failure) {
  const failure why{.code = errc::file_shrank, .offset = 8, .expected = 100, .found = 50, .message = 3, .object = 1};
  try {
    tgmap::detail::raise(why);
    BOOST_ERROR("nothing was thrown");
  } catch (const std::system_error& thrown) {
    BOOST_TEST((thrown.code() == errc::file_shrank));
    BOOST_TEST(thrown.what() == why.text());
    const auto* as = dynamic_cast<const tgmap::error*>(&thrown);
    BOOST_REQUIRE(as != nullptr);
    BOOST_TEST((as->details().code == why.code));
    BOOST_TEST(as->details().offset == 8u);
    BOOST_TEST(as->details().expected == 100u);
    BOOST_TEST(as->details().found == 50u);
    BOOST_TEST(as->details().message == 3);
    BOOST_TEST(as->details().object == 1);
  }
}

BOOST_AUTO_TEST_CASE(missing_memory_is_thrown_as_bad_alloc) {
  BOOST_CHECK_THROW(tgmap::detail::raise({.code = errc::out_of_memory, .found = 1}), std::bad_alloc);
}

BOOST_AUTO_TEST_CASE(success_is_not_thrown) {
  BOOST_CHECK_NO_THROW(tgmap::detail::raise_if({}));
  BOOST_CHECK_THROW(tgmap::detail::raise_if({.code = errc::masked}), tgmap::error);
}

BOOST_AUTO_TEST_SUITE_END()
