// SPDX-License-Identifier: Apache-2.0
#include "reports/listed_row.hpp"

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(listed_rows)

BOOST_AUTO_TEST_CASE(rows_describe_messages_and_objects) {
  const bytes data = message({.objects = {numbers_object<float>("float32", {1, 2})},
                              .writing = writing::streamed,
                              .base = {cbor::map({cbor::key("name", cbor::text("2t"))})}});
  const auto in = tgmap::archive::from_memory(span_of(data));
  const auto of_message = tgmap::reports::message_row(in[0]);
  BOOST_TEST(of_message.members["message"] == 0);
  BOOST_TEST(of_message.members["length"] == data.size());
  BOOST_TEST(of_message.members["objects"] == 1);
  BOOST_TEST(of_message.notes == "streamed");
  const auto of_object = tgmap::reports::object_row(in[0], in[0][0]);
  BOOST_TEST(of_object.members["name"] == "2t");
  BOOST_TEST(of_object.name == "2t");
  BOOST_TEST(of_object.members["shape"].dump() == "[2]");
  BOOST_TEST(of_object.members["stored"] == 8);
  BOOST_TEST(!is_broken(of_object));
}

BOOST_AUTO_TEST_CASE(an_object_that_cannot_be_read_has_an_error) {
  const bytes data = message({.objects = {bytes_object("12")}});
  const auto in = tgmap::archive::from_memory(span_of(data));
  const tgmap::failure why{.code = tgmap::errc::bad_descriptor};
  auto row = tgmap::reports::broken_object_row(in[0], 4, why);
  BOOST_TEST(is_broken(row));
  BOOST_TEST(row.members["object"] == 4);
  BOOST_TEST(row.notes == row.members["error"].get<std::string>());
  add_failure(row, in[0], {.code = tgmap::errc::file_shrank});
  BOOST_TEST(row.notes.find(", ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
