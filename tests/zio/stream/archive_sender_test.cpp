// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/archive_sender.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>

#include "fixtures/sockets.hpp"

using namespace tgmap_test;
using zio::stream_end;

BOOST_AUTO_TEST_SUITE(archive_sender)

namespace {

/// An archive of two messages, and a socket that takes them.
struct sending {
  temporary_directory temporary;
  std::filesystem::path path = temporary.file("a.tgm", tgmap_test::message({.objects = {bytes_object("abcd")}}) +
                                                           tgmap_test::message({.objects = {bytes_object("ef")}}));
  tgmap::archive from{path, {.io = tgmap::io_mode::map}};
  zio::socket taker = bound(zio::socket_kind::pull);
  zio::send_settings how{
      .to = {.socket = socket_of(zio::socket_kind::push, taker.endpoint(), false), .timeout = patient}};
  std::stop_source stop;
  std::vector<zio::copy_reason> copies;

  std::unique_ptr<zio::archive_sender> open() {
    tgmap::failure why;
    auto out = std::make_unique<zio::archive_sender>(
        how, stop.get_token(), [this](const std::string&, zio::copy_reason reason) { copies.push_back(reason); }, why);
    BOOST_TEST(!why);
    out->open();
    return out;
  }
  tgmap::failure send(zio::archive_sender& to, std::size_t i) { return to.send(path.string(), from, from[i]); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(messages_are_sent_and_counted, sending) {
  const auto to = open();
  BOOST_TEST(!send(*to, 0));
  BOOST_TEST(!send(*to, 1));
  const zio::message first = taker.receive(patient), second = taker.receive(patient);
  BOOST_TEST(first.payload.at(0).bytes.size() == 4u);
  BOOST_TEST(second.seqno == 1u);
  BOOST_TEST(second.granule >= first.granule);
  BOOST_TEST(!to->end());
  to->finish();
  BOOST_TEST((to->end() == stream_end::end));
  BOOST_TEST(!to->end_failure());
  const zio::sent_totals all = to->totals();
  BOOST_TEST(all.messages == 2u);
  BOOST_TEST(all.bytes == 6u);
  BOOST_TEST(all.messages_in_flight == 0u);
  BOOST_TEST(all.socket.connected == 1u);
  BOOST_TEST(copies.empty());
}

BOOST_FIXTURE_TEST_CASE(a_file_that_became_shorter_ends_the_stream, sending) {
  const auto to = open();
  const tgmap::message last = from[1];
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  BOOST_TEST((to->send(path.string(), from, last).code == make_error_code(tgmap::errc::file_shrank)));
  BOOST_TEST((to->end() == stream_end::failure));
  BOOST_TEST(!to->end_failure());  // it concerns the file, not the connection
  to->finish();
  BOOST_TEST(to->totals().messages == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_stop_request_ends_the_wait_for_the_next_message, sending) {
  how.rate.messages = 0.001;
  const auto to = open();
  BOOST_TEST(!send(*to, 0));
  stop.request_stop();
  BOOST_TEST(!send(*to, 1));
  BOOST_TEST((to->end() == stream_end::signal));
  BOOST_TEST(to->messages() == 1u);
}

BOOST_FIXTURE_TEST_CASE(payloads_of_a_file_that_is_written_are_copied, sending) {
  std::ofstream writer(path, std::ios::app);
  const auto to = open();
  BOOST_TEST(!send(*to, 0));
  BOOST_TEST((copies == std::vector{zio::copy_reason::written}));
  BOOST_TEST(to->totals().bytes_copied >= 4u);
}

BOOST_AUTO_TEST_CASE(each_end_has_a_name) {
  BOOST_TEST(to_string_view(stream_end::count) == "count");
  BOOST_TEST(to_string_view(stream_end::taker) == "taker");
  BOOST_TEST(to_string_view(stream_end::failure) == "failure");
}

BOOST_AUTO_TEST_CASE(only_a_message_that_is_not_zio_concerns_itself_alone) {
  BOOST_TEST(zio::concerns_one_message({.code = zio::errc::bad_level}));
  BOOST_TEST(!zio::concerns_one_message({.code = zio::errc::timed_out}));
  BOOST_TEST(!zio::concerns_one_message({}));
  BOOST_TEST(zio::message_bytes({.label = "{}", .payload = {owned_part(5)}}) == 8u + 2 + 24 + 5);
}

BOOST_AUTO_TEST_SUITE_END()
