// SPDX-License-Identifier: Apache-2.0
#include "cli/messages/message_dump.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(message_dump)

// After each cut the text is an error: keys that are gone are not absent.
BOOST_AUTO_TEST_CASE(keys_that_are_lost_are_an_error) {
  const temporary_directory temporary;
  message_spec spec{.objects = {bytes_object("abcd")},
                    .base = {cbor::map({cbor::key("name", cbor::text("base-1"))})},
                    .extra = {cbor::key("wide", cbor::text("wide-1"))}};
  const bytes data = message(spec);
  const auto whole = temporary.file("whole.tgm", data);
  const tgmap::archive sound(whole);
  const std::string text = tgmap::cli::dump_text(sound[0], {0, 1});
  BOOST_TEST(text.find("base-1") != std::string::npos);
  for (const std::size_t size : {std::size_t{0}, data.find("base-1"), data.find("wide-1"), data.find("wide-1") + 3}) {
    const auto path = temporary.file("a.tgm", data);
    const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
    BOOST_REQUIRE(archive[0].size() == 1u);
    std::filesystem::resize_file(path, size);
    TGMAP_THROWS(tgmap::cli::dump_text(archive[0], {0, 1}), tgmap::errc::file_shrank);
  }
}

BOOST_AUTO_TEST_SUITE_END()
