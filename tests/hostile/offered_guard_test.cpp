// SPDX-License-Identifier: Apache-2.0
// The library installs its handler of bus errors before it reads many places of a mapped archive, unless there is a
// handler.
#include <signal.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/process/child.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>
#include <vector>

using namespace tgmap_test;
namespace mapping_guard = tgmap::mapping_guard;

BOOST_AUTO_TEST_SUITE(offered_guard_test)

namespace {

struct sigaction handler() {
  struct sigaction current {};
  ::sigaction(SIGBUS, nullptr, &current);
  return current;
}

void leave_with_7(int) { std::_Exit(7); }

struct many_messages {
  static constexpr std::size_t count = 2000;
  temporary_directory temporary{};
  std::filesystem::path path = temporary.file("a.tgm", several(0, count, 300));

  tgmap::archive open(const tgmap::open_options& options = {.io = tgmap::io_mode::map}) const {
    return tgmap::archive(path, options);
  }
};

/// Reads all messages, objects and descriptors.
std::uint64_t pass_over(const tgmap::archive& archive) {
  std::uint64_t sum = archive.size();
  for (std::size_t i = 0; i < archive.size(); ++i)
    sum += archive[i][0].payload_size() + archive[i][0].descriptor().element_count +
           archive[i][0].metadata().entries().size();
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_scan_sets_the_handler) {
  const many_messages files;
  BOOST_TEST(ended([&] {
               const auto archive = files.open();
               const bool before = mapping_guard::is_installed();
               return !before && archive.size() == files.count && mapping_guard::is_installed();
             }) == 0);
}

BOOST_AUTO_TEST_CASE(a_few_objects_set_no_handler) {
  const many_messages files;
  BOOST_TEST(ended([&] {
               const auto archive = files.open();
               return archive[3][0].descriptor().rank() == 1 && archive.nth_from_end(0)[0].payload_size() > 0 &&
                      !mapping_guard::is_installed() && handler().sa_handler == SIG_DFL;
             }) == 0);
}

BOOST_AUTO_TEST_CASE(a_handler_of_the_program_is_kept) {
  const many_messages files;
  const std::uint64_t wanted = pass_over(files.open({.io = tgmap::io_mode::read}));  // no handler here
  for (const auto other : {&leave_with_7, SIG_IGN})
    BOOST_TEST(ended([&] {
                 ::signal(SIGBUS, other);
                 const auto archive = files.open();
                 return pass_over(archive) == wanted && handler().sa_handler == other && !mapping_guard::is_installed();
               }) == 0);
  BOOST_TEST(ended([&] { return pass_over(files.open()) == wanted && mapping_guard::is_installed(); }) == 0);
}

BOOST_AUTO_TEST_CASE(never_sets_no_handler) {
  const many_messages files;
  BOOST_TEST(ended([&] {
               const auto archive = files.open({.io = tgmap::io_mode::map, .guard = tgmap::guard_use::never});
               (void)pass_over(archive);
               (void)archive[0][0].decode();
               (void)archive[0][0].verify();
               return !mapping_guard::is_installed() && handler().sa_handler == SIG_DFL;
             }) == 0);
}

BOOST_AUTO_TEST_CASE(unmapped_archives_set_no_handler) {
  const many_messages files;
  BOOST_TEST(ended([&] {
               (void)pass_over(files.open({.io = tgmap::io_mode::read}));
               const bytes data = several(0, files.count, 300);
               (void)pass_over(tgmap::archive::from_memory(span_of(data)));
               return handler().sa_handler == SIG_DFL;
             }) == 0);
}

BOOST_AUTO_TEST_CASE(signals_that_are_not_its_own_end_the_process_as_before) {
  const many_messages files;
  const auto scanned = [&] { return files.open().size() == files.count && mapping_guard::is_installed(); };
  BOOST_TEST(ended([&] { return scanned() && ::raise(SIGBUS) == 0; }) == 128 + SIGBUS);
  BOOST_TEST(ended([&] {
               const auto archive = files.open();
               const auto payload = archive[files.count - 1][0].payload();
               std::filesystem::resize_file(files.path, 0);
               return *static_cast<const volatile std::byte*>(payload.data()) == std::byte{0};
             }) == 128 + SIGBUS);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_cut_is_an_error) {
  const many_messages files;
  BOOST_TEST(ended([&] {
               const auto archive = files.open();
               (void)archive.size();
               std::filesystem::resize_file(files.path, 8192);
               unsigned gone = 0;
               for (std::size_t i = 100; i < files.count; ++i) {
                 tgmap::failure why;
                 (void)archive[i].at(0, why);
                 if (why.code == tgmap::make_error_code(tgmap::errc::file_shrank)) ++gone;
               }
               return gone == files.count - 100;
             }) == 0);
}

BOOST_AUTO_TEST_CASE(a_handler_that_is_set_later_is_noticed_and_reads_are_used_again) {
  const many_messages files;
  BOOST_TEST(ended([&] {
               const auto archive = files.open();
               (void)archive.size();
               ::signal(SIGBUS, leave_with_7);
               const auto other = files.open();
               (void)other.size();  // noticed here
               std::filesystem::resize_file(files.path, 8192);
               tgmap::failure why;
               (void)archive[files.count - 1].at(0, why);
               return why.code == tgmap::make_error_code(tgmap::errc::file_shrank) &&
                      handler().sa_handler == &leave_with_7;
             }) == 0);
}

BOOST_AUTO_TEST_CASE(a_program_may_install_the_guard_itself) {
  const many_messages files;
  BOOST_TEST(ended([&] {
               (void)files.open().size();
               return !mapping_guard::install() && mapping_guard::is_installed() && ::raise(SIGBUS) == 0;
             }) == 128 + SIGBUS);
  BOOST_TEST(ended([&] {
               ::signal(SIGBUS, leave_with_7);
               (void)files.open().size();  // refused
               return !mapping_guard::install() && mapping_guard::is_installed() && ::raise(SIGBUS) == 0;
             }) == 7);
}

BOOST_AUTO_TEST_SUITE_END()
