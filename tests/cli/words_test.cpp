// SPDX-License-Identifier: Apache-2.0
// Small pieces of text and status: sizes, times, counts, next steps.
#include <boost/test/unit_test.hpp>
#include <cerrno>

#include "cli/advice.hpp"
#include "cli/exit_status.hpp"
#include "cli/human.hpp"
#include "cli/json.hpp"

using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(words)

using namespace tgmap::cli;

BOOST_AUTO_TEST_CASE(sizes) {
  BOOST_TEST(human_size(0) == "0 bytes");
  BOOST_TEST(human_size(1) == "1 byte");
  BOOST_TEST(human_size(1023) == "1023 bytes");
  BOOST_TEST(human_size(1024) == "1.0 KiB (1024 bytes)");
  BOOST_TEST(human_size(3936) == "3.8 KiB (3936 bytes)");
  BOOST_TEST(human_size(1048575) == "1.0 MiB (1048575 bytes)");
  BOOST_TEST(human_size(std::uint64_t{3} << 30) == "3.0 GiB (3221225472 bytes)");
  BOOST_TEST(human_size(UINT64_MAX) == "16.0 EiB (18446744073709551615 bytes)");
}

BOOST_AUTO_TEST_CASE(times) {
  BOOST_TEST(human_time(0.004) == "0.00 ms");
  BOOST_TEST(human_time(0.31) == "0.31 ms");
  BOOST_TEST(human_time(12.3) == "12 ms");
  BOOST_TEST(human_time(3400) == "3.4 s");
}

BOOST_AUTO_TEST_CASE(counts) {
  BOOST_TEST(counted(0, "row") == "0 rows");
  BOOST_TEST(counted(1, "row") == "1 row");
  BOOST_TEST(counted(2, "row") == "2 rows");
}

BOOST_AUTO_TEST_CASE(failed_comes_before_damaged_before_fine) {
  using enum exit_status;
  BOOST_TEST((both(fine, fine) == fine));
  BOOST_TEST((both(fine, damaged) == damaged));
  BOOST_TEST((both(damaged, fine) == damaged));
  BOOST_TEST((both(damaged, failed) == failed));
  BOOST_TEST((both(failed, fine) == failed));
}

BOOST_AUTO_TEST_CASE(every_failure_has_a_next_step) {
  for (int code = 1; code <= 200; ++code) {
    const std::string step = next_step({.code = tgmap::make_error_code(static_cast<errc>(code))}, "f.tgm");
    BOOST_TEST(!step.empty());
    BOOST_TEST(step.back() != '.');
  }
  for (int number = 1; number < 130; ++number)
    BOOST_TEST(!next_step({.code = {number, std::system_category()}}, "f.tgm").empty());
  BOOST_TEST(!next_step({.code = std::make_error_code(std::errc::io_error)}, "f.tgm").empty());
}

BOOST_AUTO_TEST_CASE(next_steps_fit) {
  BOOST_TEST(next_step({.code = errc::out_of_range}, "f.tgm") == "run `tgmap ls f.tgm` to see what there is");
  BOOST_TEST(next_step({.code = {ENOENT, std::system_category()}}, "f.tgm") == "check the name");
  BOOST_TEST(next_step({.code = errc::unsupported_strides}, "f").find("--as-stored") != std::string::npos);
  BOOST_TEST(next_step({.code = errc::compressed}, "f").find("--stored") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(json_is_ascii_and_valid_whatever_text_it_holds) {
  const std::string line = json_line({{"file", "\xff\xfe\x1b[31m\u202e\"\\\n\u0085é"}});
  BOOST_TEST(line.back() == '\n');
  for (const char c : line.substr(0, line.size() - 1)) BOOST_TEST((c >= 0x20 && c < 0x7f));
  BOOST_TEST(nlohmann::json::parse(line)["file"] == "\ufffd\ufffd\x1b[31m\u202e\"\\\n\u0085é");
}

BOOST_AUTO_TEST_CASE(gaps_and_tails_in_json) {
  const tgmap::gap g{8, 16, {.code = errc::not_a_message, .offset = 8}};
  BOOST_TEST(to_json(g).dump() == R"({"begin":8,"end":16,"code":"not_a_message","cause":")" + g.cause.text() + "\"}");
  BOOST_TEST(to_json(std::optional<tgmap::incomplete_tail>{}).is_null());
  BOOST_TEST(to_json(std::optional<tgmap::incomplete_tail>({1, 2, {}}))["end"] == 2);
}

BOOST_AUTO_TEST_SUITE_END()
