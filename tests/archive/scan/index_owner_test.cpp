// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/index_owner.hpp"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>
#include <support/failures.hpp>

using tgmap::errc;
using tgmap::detail::check_index_owner;
using tgmap::detail::is_listed_user;

BOOST_AUTO_TEST_SUITE(index_owner_test)

namespace {

constexpr std::uint32_t stranger = 54321;

}  // namespace

BOOST_AUTO_TEST_CASE(users_are_listed_by_name_number_and_group) {
  BOOST_TEST(is_listed_user("root", 0));
  BOOST_TEST(is_listed_user("somebody,root", 0));
  BOOST_TEST(is_listed_user("0", 0));
  BOOST_TEST(is_listed_user("54321", stranger));
  BOOST_TEST(is_listed_user(",54321,", stranger));
  const ::group* const of_root = ::getgrgid(::getpwuid(0)->pw_gid);
  BOOST_TEST(is_listed_user("group:" + std::string(of_root->gr_name), 0));
  BOOST_TEST(is_listed_user("group:" + std::to_string(of_root->gr_gid), 0));
  for (const char* const none :
       {"", ",", "group:", "group:no-such-group", "nobody-of-this-name", "root ", "54", "group:root"})
    BOOST_TEST(!is_listed_user(none, stranger));
  BOOST_TEST(!is_listed_user("54321", 0));
  BOOST_TEST(!is_listed_user("99999999999999999999", stranger));
}

BOOST_AUTO_TEST_CASE(the_owner_of_the_archive_root_and_this_user_are_trusted) {
  TGMAP_SUCCEEDED(check_index_owner(0, {}, {}));
  TGMAP_SUCCEEDED(check_index_owner(::geteuid(), {}, {}));
  TGMAP_SUCCEEDED(check_index_owner(stranger, stranger, {}));
  TGMAP_SUCCEEDED(check_index_owner(stranger, {}, "54321"));
  const auto refused = check_index_owner(stranger, 0, "54322");
  TGMAP_FAILED(refused, errc::index_not_owned);
  BOOST_TEST(refused.expected == ::geteuid());
  BOOST_TEST(refused.found == stranger);
}

BOOST_AUTO_TEST_CASE(the_variable_adds_users) {
  BOOST_REQUIRE(::setenv("TGMAP_TRUST_INDEX_OF", "somebody,54321", 1) == 0);
  TGMAP_SUCCEEDED(check_index_owner(stranger, {}, {}));
  BOOST_REQUIRE(::unsetenv("TGMAP_TRUST_INDEX_OF") == 0);
  TGMAP_FAILED(check_index_owner(stranger, {}, {}), errc::index_not_owned);
}

BOOST_AUTO_TEST_SUITE_END()
