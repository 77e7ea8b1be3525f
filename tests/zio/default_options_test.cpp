// SPDX-License-Identifier: Apache-2.0
// The overloads without options.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <tgmap/zio/flow_port.hpp>
#include <tgmap/zio/from_archive.hpp>
#include <tgmap/zio/tens_builder.hpp>
#include <tgmap/zio/to_archive.hpp>

#include "fixtures/sockets.hpp"

using namespace tgmap_test;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(default_options_test)

namespace {

zio::message three_numbers() {
  static const std::array<float, 3> numbers{1, 2, 3};
  const std::uint64_t shape[]{3};
  failure why;
  zio::tens_builder build;
  build.append(std::span<const float>(numbers), shape, why);
  BOOST_TEST(!why);
  const std::uint64_t wrong[]{4};
  build.append(std::span<const float>(numbers), wrong, why);
  BOOST_TEST((why.code == zio::errc::part_size));
  return build.message();
}

}  // namespace

BOOST_AUTO_TEST_CASE(frames) {
  const zio::message m = three_numbers();
  failure why;
  const auto frame = zio::encode(m, why);
  BOOST_TEST(!why);
  BOOST_TEST(zio::encoded_size(m, why) == frame.size());
  tgmap::memory_sink first, second;
  zio::encode(m, first);
  zio::encode(m, second, why);
  BOOST_TEST(!why);
  BOOST_TEST((first.bytes() == frame && second.bytes() == frame));
  BOOST_TEST(zio::decode(frame, why).label == m.label);
  BOOST_TEST(!why);
  BOOST_TEST(zio::decode(std::span(frame).first(3), {}, why).label.empty());
  BOOST_TEST((why.code == zio::errc::part_exceeds_frame));
}

BOOST_AUTO_TEST_CASE(archives) {
  const zio::message m = three_numbers();
  failure why;
  tgmap::new_message first = zio::to_archive(m, why), second;
  BOOST_TEST(!why);
  zio::to_archive(m, second, why);
  BOOST_TEST(!why);
  BOOST_TEST(second.objects.size() == first.objects.size());
  const auto bytes = tgmap::to_bytes(first, why);
  const auto a = tgmap::archive::from_memory(bytes);
  zio::from_archive_result out;
  zio::from_archive(a, a[0], out, why);
  BOOST_TEST(!why);
  BOOST_TEST(out.message.label == m.label);
  BOOST_TEST(zio::from_archive(a, a[0], why).message.label == m.label);
}

BOOST_AUTO_TEST_CASE(sockets_and_flows) {
  using namespace std::chrono_literals;
  failure why;
  zio::socket pull = bound(zio::socket_kind::pull);
  zio::socket push(socket_of(zio::socket_kind::push, pull.endpoint(), false));
  push.send(three_numbers(), 5s, why);
  BOOST_TEST(!why);
  BOOST_TEST(!pull.receive(5s, why).payload.empty());
  push.drain(5s, why);
  BOOST_TEST(!why);
  BOOST_TEST(pull.receive(1ms, why).payload.empty());
  BOOST_TEST((why.code == zio::errc::timed_out));

  const zio::flow client(why);
  BOOST_TEST(!why);
  BOOST_TEST((client.role() == zio::flow_role::giver));
  zio::socket dealer = bound(zio::socket_kind::dealer);
  zio::flow_taker taker(dealer, why);
  BOOST_TEST(!why);
  taker.open(1ms, why);
  BOOST_TEST((why.code == zio::errc::timed_out));
  zio::flow_giver giver(pull, why);
  BOOST_TEST((why.code == tgmap::errc::invalid_option));
}

BOOST_AUTO_TEST_SUITE_END()
