// SPDX-License-Identifier: Apache-2.0
// Next steps after errors of ZIO.
#include <boost/test/unit_test.hpp>
#include <tgmap/zio/errc.hpp>

#include "cli/app/cli_error.hpp"
#include "cli/stream/endpoint_options.hpp"

BOOST_AUTO_TEST_SUITE(zio_advice)

using tgmap::failure;
using tgmap::cli::next_step;
using tgmap::cli::stream_advice;
using tgmap::zio::errc;

BOOST_AUTO_TEST_CASE(every_error_of_zio_has_a_next_step_of_its_own) {
  for (int code = 1; code < 100; ++code) {
    const failure why{.code = static_cast<errc>(code)};
    const std::string step = next_step(why, "f.tgm"), of_stream = stream_advice(why);
    BOOST_TEST(!step.empty());
    BOOST_TEST(!of_stream.empty());
    BOOST_TEST((step.find("validate") == std::string::npos) == !to_string_view(static_cast<errc>(code)).empty(), step);
  }
}

BOOST_AUTO_TEST_CASE(next_steps_fit_the_verb) {
  BOOST_TEST(next_step({.code = errc::no_counterpart}, "f") == "add --raw-words, or run `tgmap convert` first");
  BOOST_TEST(next_step({.code = errc::message_limit}, "f") == "add a larger --max-message");
  BOOST_TEST(stream_advice({.code = errc::message_limit}) ==
             "add --max-message or --max-memory if you trust the sender");
  BOOST_TEST(stream_advice({.code = errc::stopped}) == "run the command again to continue");
  BOOST_TEST(stream_advice({.code = tgmap::errc::out_of_memory}) == "try again with more memory");
}

BOOST_AUTO_TEST_SUITE_END()
