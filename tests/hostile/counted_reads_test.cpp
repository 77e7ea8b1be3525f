// SPDX-License-Identifier: Apache-2.0
// The number of positioned reads of each call without a mapping, as in docs/cost.md.
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

#include "failing_pread.hpp"

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(counted_reads_test)

namespace {

constexpr tgmap::open_options read_mode{.io = tgmap::io_mode::read};

message_spec spec_of(unsigned objects, std::size_t size, writing how) {
  message_spec spec;
  spec.writing = how;
  for (unsigned n = 0; n < objects; ++n) {
    spec.objects.push_back(bytes_object(payload_of(n, size)));
    spec.base.push_back(cbor::map({cbor::key("a", cbor::text("b")), cbor::key("n", cbor::unsigned_integer(n))}));
  }
  return spec;
}

/// Eight messages of four objects of 256 KiB: with a header index, or streamed with a footer index.
bytes large_objects(writing how) {
  bytes out;
  for (unsigned n = 0; n < 8; ++n) out += message(spec_of(4, 256 << 10, how));
  return out;
}

template <class F>
long reads_in(F&& body) {
  disturb_reads(reads::normal);
  body();
  return reads_made();
}

struct counted_archive {
  explicit counted_archive(const bytes& data) : archive(temporary.file("a.tgm", data), read_mode) {}
  temporary_directory temporary{};
  tgmap::archive archive;
};

}  // namespace

BOOST_AUTO_TEST_CASE(opening_reads_nothing) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", large_objects(writing::buffered));
  BOOST_TEST(reads_in([&] { (void)tgmap::archive(path, read_mode); }) == 0);
}

BOOST_AUTO_TEST_CASE(from_the_end_two_reads_a_message_at_most) {
  const counted_archive in(large_objects(writing::buffered));
  BOOST_TEST(reads_in([&] { (void)in.archive.back(); }) <= 2);
  for (std::size_t n = 0; n < 8; ++n)
    BOOST_TEST(reads_in([&] { (void)in.archive.nth_from_end(n); }) <= static_cast<long>(2 * (n + 1)));
  BOOST_TEST(in.archive.scan_progress().messages == 0u);
}

BOOST_AUTO_TEST_CASE(a_scan_of_large_messages_takes_about_one_read_a_message) {
  const counted_archive in(large_objects(writing::buffered));
  const long scan = reads_in([&] { (void)in.archive.size(); });
  BOOST_TEST_MESSAGE("scan of 8: " << scan);
  BOOST_TEST(scan <= 8 + 2);
  BOOST_TEST(reads_in([&] { (void)in.archive.size(); }) == 0);
}

// Four, because the frame before is compared with the index, too.
BOOST_AUTO_TEST_CASE(an_object_takes_four_reads_and_then_none) {
  const counted_archive in(large_objects(writing::buffered));
  const tgmap::message message = in.archive[5];
  const long size = reads_in([&] { (void)message.size(); }), first = reads_in([&] { (void)message[2]; }),
             again = reads_in([&] { (void)message[2]; }), descriptor = reads_in([&] { (void)message[2].descriptor(); }),
             metadata = reads_in([&] { (void)message[2].metadata(); }),
             hashes = reads_in([&] { (void)message.hash_list(); }), flags = reads_in([&] { (void)message.flags(); });
  BOOST_TEST_MESSAGE("header index: size " << size << ", [j] " << first << ", descriptor " << descriptor
                                           << ", metadata " << metadata << ", hash_frame " << hashes);
  BOOST_TEST(flags == 1);
  BOOST_TEST(hashes <= 3);
  BOOST_TEST(size <= 4);  // the header, and one for each frame after it
  BOOST_TEST(first <= 4);
  BOOST_TEST(again == 0);
  BOOST_TEST(descriptor == 1);
  BOOST_TEST(reads_in([&] { (void)message[2].descriptor(); }) == 0);
  BOOST_TEST(metadata <= 3);
}

BOOST_AUTO_TEST_CASE(an_object_of_a_stream_also_reads_its_footers) {
  const counted_archive in(large_objects(writing::streamed));
  const tgmap::message message = in.archive[5];
  const long size = reads_in([&] { (void)message.size(); }), first = reads_in([&] { (void)message[2]; });
  const long metadata = reads_in([&] { (void)message[2].metadata(); }),
             hashes = reads_in([&] { (void)message.hash_list(); });
  BOOST_TEST_MESSAGE("footer index: size " << size << ", [j] " << first << ", metadata " << metadata << ", hash_frame "
                                           << hashes);
  BOOST_TEST(metadata <= 5);
  BOOST_TEST(hashes <= 5);
  BOOST_TEST(size <= 6);
  BOOST_TEST(first <= 8);
  BOOST_TEST(reads_in([&] { (void)message[2]; }) == 0);
}

BOOST_AUTO_TEST_CASE(the_summary_of_a_message_whose_object_was_read_takes_no_read) {
  const counted_archive in(message(spec_of(1, 1000, writing::buffered)));
  const tgmap::message message = in.archive[0];
  (void)message.size();
  const long first = reads_in([&] { (void)message.summary(); });
  (void)message[0].metadata();
  const long again = reads_in([&] { (void)message.summary(); });
  BOOST_TEST(first >= 1);
  BOOST_TEST(again == 0);
}

BOOST_AUTO_TEST_CASE(the_places_of_many_objects_are_read_once) {
  const counted_archive in(message(spec_of(5000, 16, writing::buffered)));
  const tgmap::message message = in.archive[0];
  const long first = reads_in([&] { (void)message.size(); }), object = reads_in([&] { (void)message[4000]; }),
             metadata = reads_in([&] { (void)message[4000].metadata(); });
  BOOST_TEST_MESSAGE("5,000 objects: size " << first << ", [j] " << object << ", metadata " << metadata);
  BOOST_TEST(first <= 8);
  BOOST_TEST(reads_in([&] { (void)message.size(); }) == 0);
  BOOST_TEST(object <= 2);
  BOOST_TEST(metadata == 1);
  BOOST_TEST(reads_in([&] { (void)message[3999].metadata(); }) <= 2);
}

BOOST_AUTO_TEST_SUITE_END()
