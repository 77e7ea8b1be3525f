// SPDX-License-Identifier: Apache-2.0
// The rest of a file's last page reads as zeros without a signal. With a guard, structure is read through the mapping:
// that is reported as lost bytes, never as damage.
#include <boost/test/unit_test.hpp>
#include <functional>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(cut_within_a_page_test)

namespace {

bytes message_of(writing way, int version) {
  message_spec spec{.version = version, .writing = way};
  for (unsigned j = 0; j < 20; ++j) {
    spec.objects.push_back(bytes_object("abcdefgh"));
    spec.base.push_back(cbor::map({cbor::key("number", cbor::unsigned_integer(j))}));
  }
  spec.extra = {cbor::key("wide", cbor::text("wide-1"))};
  return message(spec);
}

/// Each call reads structure from the archive, of which nothing was read but the message table.
const std::vector<std::function<void(const tgmap::message&, failure&)>> calls{
    [](const tgmap::message& m, failure& why) { (void)m.size(why); },
    [](const tgmap::message& m, failure& why) { (void)m.at(0, why); },
    [](const tgmap::message& m, failure& why) { (void)m.at(19, why); },
    [](const tgmap::message& m, failure& why) { (void)m.metadata(why); },
    [](const tgmap::message& m, failure& why) { (void)m.summary(why); },
    [](const tgmap::message& m, failure& why) { (void)m.provenance(why); },
    [](const tgmap::message& m, failure& why) { (void)m.base(11, why); },
    [](const tgmap::message& m, failure& why) { (void)m.index_location(why); },
    [](const tgmap::message& m, failure& why) { (void)m.hash_list(why); },
    [](const tgmap::message& m, failure& why) {
      const tgmap::object object = m.at(7, why);
      if (!why) (void)object.metadata(why);
      if (!why) (void)object.descriptor(why);
      if (!why) (void)object.verify(why);
    },
    [](const tgmap::message& m, failure& why) {
      tgmap::frame frame;
      for (auto frames = m.frames(why); !why && frames.next(frame, why);) {
      }
    },
};

}  // namespace

BOOST_AUTO_TEST_CASE(lost_bytes_are_never_damage) {
  const temporary_directory temporary;
  std::size_t cut = 0;
  for (const writing way : {writing::buffered, writing::streamed})
    for (const int version : {2, 3}) {
      const bytes data = message_of(way, version);
      const std::size_t page = data.size() / 4096 * 4096;
      BOOST_TEST_CONTEXT("version " << version << (way == writing::streamed ? ", streamed" : ""))
      for (std::size_t size = page + 1; size < data.size(); size += 13)
        for (const auto& call : calls) {
          const auto path = temporary.file("a.tgm", data);
          const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
          const tgmap::message message = archive[0];
          std::filesystem::resize_file(path, size);
          failure why;
          call(message, why);
          if (!why) continue;
          ++cut;
          BOOST_TEST_CONTEXT("cut at " << size << ", call " << &call - calls.data()) {
            TGMAP_FAILED(why, errc::file_shrank);
            BOOST_TEST(why.message.value_or(9) == 0u);
          }
        }
    }
  BOOST_TEST(cut > 100u);
}

// Bytes that were lost behind a message do not hide its own damage.
BOOST_AUTO_TEST_CASE(damage_before_the_cut_stays_damage) {
  const temporary_directory temporary;
  bytes damaged = message_of(writing::buffered, 3);
  damaged.replace(damaged.find("FR"), 2, "XX");
  const auto path = temporary.file("a.tgm", damaged + message_of(writing::buffered, 3));
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  const tgmap::message message = archive[0];
  std::filesystem::resize_file(path, damaged.size() + 50);
  failure why;
  (void)message.base(0, why);
  TGMAP_FAILED(why, errc::not_a_frame);
}

BOOST_AUTO_TEST_SUITE_END()
