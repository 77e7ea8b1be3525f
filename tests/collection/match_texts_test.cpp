// SPDX-License-Identifier: Apache-2.0
// Texts of what is selected, in order and from several threads.
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <support/numbered.hpp>
#include <tgmap/decode/executor.hpp>

#include "collection/match_texts.hpp"
#include "numbered_fields.hpp"

using namespace tgmap_test;
using tgmap::metadata_key;
using tgmap::selection;
using tgmap::archives::key_source;
using tgmap::archives::selector;
using tgmap::archives::tally;

BOOST_AUTO_TEST_SUITE(match_texts)

namespace {

const auto threads = tgmap::make_thread_executor(3);

/// Returns an archive of messages with the steps 0, 1, 2, ...
bytes numbered(std::int64_t messages) {
  bytes out;
  for (std::int64_t i = 0; i < messages; ++i) out += field_message({"2t"}, i);
  return out;
}

std::string texts(const tgmap::archive& from, const selector& chosen, const tgmap::archives::match_writer& write,
                  tally& sum, const tgmap::archives::match_check& check = {}) {
  std::string out;
  write_matches(
      chosen, from, write, [&](const std::string& some) { out += some; }, {.threads = *threads, .check = check}, sum);
  return out;
}

void write_step(const key_source& from, std::string& to) { to += from.find(metadata_key("step")).text() + " "; }

}  // namespace

BOOST_AUTO_TEST_CASE(texts_of_many_messages_keep_their_order) {
  constexpr std::int64_t messages = 9000;  // more than two batches
  std::string all;
  for (std::int64_t i = 0; i < messages; ++i) all += std::to_string(i) + " ";
  tally sum;
  const bytes many = numbered(messages), few = numbered(10);
  BOOST_TEST((texts(open(many), selector({}, false), write_step, sum) == all));
  BOOST_TEST(sum.taken == 9000U);
  tally some;
  BOOST_TEST(texts(open(few), selector(selection("step>7"), false), write_step, some) == "8 9 ");
  BOOST_TEST(some.seen == 10U);
}

BOOST_AUTO_TEST_CASE(an_exception_ends_the_visit_after_the_texts_before_it) {
  const bytes data = numbered(9000);
  const auto from = open(data);
  tally sum;
  std::string out;
  const auto write = [](const key_source& keys, std::string& to) {
    to += "half of it";
    if (keys.find(metadata_key("step")).text() == "3") throw std::runtime_error("enough");
    to.resize(to.size() - 10);
    write_step(keys, to);
  };
  const auto run = [&] {
    write_matches(
        selector({}, false), from, write, [&](const std::string& some) { out += some; }, {.threads = *threads}, sum);
  };
  BOOST_CHECK_THROW(run(), std::runtime_error);
  BOOST_TEST(out == "0 1 2 ");
  BOOST_TEST(sum.taken == 4U);
}

BOOST_AUTO_TEST_CASE(what_a_check_refuses_is_left_out) {
  tally sum;
  const auto refuse = [](const tgmap::message& m, std::optional<std::size_t>) {
    return m.index() == 1U ? tgmap::failure{.code = tgmap::errc::hash_mismatch} : tgmap::failure{};
  };
  const bytes data = numbered(3);
  BOOST_TEST(texts(open(data), selector({}, false), write_step, sum, refuse) == "0 2 ");
  BOOST_TEST(sum.problem_count == 1U);
  BOOST_TEST(sum.mismatches == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
