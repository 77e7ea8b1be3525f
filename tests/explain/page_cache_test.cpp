// SPDX-License-Identifier: Apache-2.0
#include "explain/page_cache.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::explain::page_cache;

BOOST_AUTO_TEST_SUITE(page_caches)

namespace {

constexpr std::uint64_t page = 4096;

/// Asks the system to drop the file from the page cache. Returns true if it did.
bool drop_from_cache(const std::filesystem::path& path, std::uint64_t size) {
  const int file = ::open(path.c_str(), O_RDONLY);
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
  return page_cache(path, 0, {0, size}).cached_count({{{0, size}}}) == std::uint64_t{0};
}

}  // namespace

BOOST_AUTO_TEST_CASE(pages_are_counted_once) {
  const temporary_directory files;
  const page_cache none(files.file("f", std::string(10 * page, 'x')), 0, {0, 10 * page});
  BOOST_TEST(none.page_count({}) == 0u);
  BOOST_TEST(none.page_count({{{5, 5}}}) == 0u);
  BOOST_TEST(none.page_count({{{0, 1}}}) == 1u);
  BOOST_TEST(none.page_count({{{page - 1, page + 1}}}) == 2u);
  BOOST_TEST(none.page_count({{{0, page}, {page, page + 1}}}) == 2u);
  BOOST_TEST(none.page_count({{{0, 10}, {20, page + 1}}}) == 2u);
  BOOST_TEST(none.page_count({{{0, 10}, {20, 30}}}) == 1u);
  BOOST_TEST(none.page_count({{{0, 3 * page}, {5, 10}}}) == 3u);
  BOOST_TEST(none.cached_count({{{0, 10}, {20, 30}}}).value() == 1u);
  BOOST_TEST(none.cached_count({{{0, 10 * page}}}).value() == 10u);  // just written
}

BOOST_AUTO_TEST_CASE(archive_that_begins_inside_a_file) {
  const temporary_directory files;
  const page_cache shifted(files.file("f", std::string(4 * page, 'x')), page - 10, {0, 20});
  BOOST_TEST(shifted.page_count({{{0, 20}}}) == 2u);
  BOOST_TEST(shifted.cached_count({{{0, 20}}}).value() == 2u);
  BOOST_TEST(!shifted.cached_count({{{0, 2 * page}}}));  // more than the snapshot covers
}

BOOST_AUTO_TEST_CASE(pages_that_are_not_cached) {
  const temporary_directory files;
  constexpr std::uint64_t size = 512 * page;
  const auto path = files.file("f", std::string(size, 'x'));
  if (!drop_from_cache(path, size)) return say_skipped("pages that are not cached", "the file system keeps them");
  const page_cache cold(path, 0, {0, size});
  std::ifstream(path).get();
  BOOST_TEST(cold.cached_count({{{0, size}}}).value() == 0u);  // as when the snapshot was taken
  const page_cache touched(path, 0, {0, size});
  BOOST_TEST(touched.cached_count({{{0, 1}}}).value() == 1u);
  BOOST_TEST(touched.cached_count({{{0, size}}}).value() < 512u);
}

BOOST_AUTO_TEST_CASE(files_of_other_users_are_not_reported) {
  if (::geteuid() != 0) return say_skipped("files of others", "not root");
  const temporary_directory files;
  const auto path = files.file("f", std::string(page, 'x'));
  using std::filesystem::perms;
  std::filesystem::permissions(files.path(), perms::owner_all | perms::others_read | perms::others_exec);
  std::filesystem::permissions(path, perms::owner_all | perms::others_read);
  constexpr uid_t nobody = 65534;
  BOOST_REQUIRE(::seteuid(nobody) == 0);
  const page_cache seen(path, 0, {0, page});
  BOOST_REQUIRE(::seteuid(0) == 0);
  BOOST_TEST(!seen.cached_count({{{0, page}}}));
  BOOST_TEST(seen.page_count({{{0, page}}}) == 1u);
}

BOOST_AUTO_TEST_CASE(missing_file) {
  const page_cache none("/nowhere/at/all", 0, {0, page});
  BOOST_TEST(!none.cached_count({{{0, page}}}));
  BOOST_TEST(none.page_count({{{0, page}}}) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
