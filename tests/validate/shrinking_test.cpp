// SPDX-License-Identifier: Apache-2.0
// A file that shrinks while it is validated is an error, and leads to no findings.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(shrinking_test)

namespace {

/// Cuts the file when it receives the first message.
struct cutter : recorded_findings {
  std::filesystem::path path;
  std::uintmax_t size = 0;
  void message(const tgmap::message_report& m) override {
    if (m.index == 0) std::filesystem::resize_file(path, size);
    recorded_findings::message(m);
  }
};

void cut_while_validating(tgmap::io_mode mode, std::uintmax_t to) {
  const temporary_directory directory;
  bytes data;
  for (unsigned n = 0; n < 6; ++n) data += several(0, 1000, 400);
  const auto path = directory.file("cut.tgm", data);
  const tgmap::archive archive(path, {.io = mode});
  cutter visitor;
  visitor.path = path;
  visitor.size = to == 0 ? 0 : data.size() - to;
  tgmap::failure why;
  static_cast<void>(tgmap::validate(archive, {.threads = 1}, visitor, why));
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  BOOST_TEST(visitor.codes() == code_set{}, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_mapped_file_that_is_cut) {
  cut_while_validating(tgmap::io_mode::map, 0);
  cut_while_validating(tgmap::io_mode::map, 3'000'000);
}

BOOST_AUTO_TEST_CASE(zeros_up_to_the_end_of_its_last_page_are_no_damage) {
  cut_while_validating(tgmap::io_mode::map, 100);
}

BOOST_AUTO_TEST_SUITE_END()
