// SPDX-License-Identifier: Apache-2.0
// How many messages a scan adds at a time, and which way it reads them.
#include "archive/scan/sequential_scan.hpp"

#include <sys/mman.h>

#include <cstring>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <tgmap/mapping_guard.hpp>

#include "../archive_fixture.hpp"
#include "io/page.hpp"

using namespace tgmap_test;
using inner::sequential_scan;

BOOST_AUTO_TEST_SUITE(sequential_scan_test)

namespace {

constexpr std::uint64_t all = UINT64_MAX, kib = 1024, mib = 1024 * kib;

/// Messages of equal length, of which only the first and the last bytes are written. The other pages take no memory.
class bare_messages {
 public:
  bare_messages(std::size_t count, std::uint64_t length) : length_(length), size_(count * length) {
    memory_ = static_cast<std::byte*>(
        ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    BOOST_REQUIRE(memory_ != MAP_FAILED);
    for (std::byte* at = memory_; at < memory_ + size_; at += length) {
      namespace wire = tgmap::wire;
      std::memcpy(at, wire::message_magic.data(), 8);
      wire::store_be(at + 8, std::uint64_t{3} << 48);
      wire::store_be(at + 16, length);
      wire::store_be(at + length - 16, length);
      std::memcpy(at + length - 8, wire::end_magic.data(), 8);
    }
    tgmap::failure why;
    source_ = tgmap::io::source::from_memory(std::span<const std::byte>(memory_, size_), {}, why);
    BOOST_REQUIRE(source_ != nullptr);
  }
  ~bare_messages() { ::munmap(memory_, size_); }
  bare_messages(const bare_messages&) = delete;

  /// Changes the length that every message states at its end.
  void set_lengths_at_ends(std::uint64_t length) {
    for (std::uint64_t end = length_; end <= size_; end += length_) tgmap::wire::store_be(memory_ + end - 16, length);
  }

  /// Writes over the end of a message.
  void damage(std::size_t message) { memory_[(message + 1) * length_ - 1] ^= std::byte{1}; }

  const tgmap::io::source& source() const { return *source_; }

 private:
  std::uint64_t length_, size_;
  std::byte* memory_;
  std::unique_ptr<tgmap::io::source> source_;
};

/// A scan of bare messages from the first on.
struct scan_of {
  explicit scan_of(const bare_messages& in) : scan(in.source(), table, way) {}

  /// Returns the number of messages that a call adds.
  std::size_t added(std::uint64_t messages = all, std::uint64_t bytes = all) {
    const std::size_t before = table.size();
    TGMAP_SUCCEEDED(scan.advance(at, messages, bytes));
    return table.size() - before;
  }

  inner::message_table table{};
  inner::way_choice way{};
  sequential_scan scan;
  std::uint64_t at = 0;
};

/// Returns the number of messages up to the first end at or after so many bytes.
std::uint64_t messages_in(std::uint64_t bytes, std::uint64_t length) { return (bytes + length - 1) / length; }

}  // namespace

BOOST_AUTO_TEST_CASE(regions_double_after_the_first_messages) {
  constexpr std::uint64_t capacity = 7 * 1024;  // messages that the chains can hold
  for (const auto& [count, length] : {std::pair{20'000u, 64u}, {20'000u, 1000u}, {10'000u, 60'000u}}) {
    const bare_messages in(count, length);
    scan_of scan(in);
    BOOST_TEST(scan.added() == 64u);
    std::size_t regions = 0;
    for (std::uint64_t region = 64 * kib; scan.at + region < in.source().size(); region *= 2, ++regions)
      BOOST_TEST(scan.added() == std::min(messages_in(std::min(region, 256 * mib), length), capacity),
                 length << ", region " << region);
    BOOST_TEST(regions >= 4u);
  }
}

BOOST_AUTO_TEST_CASE(no_more_is_scanned_than_asked_for) {
  constexpr std::uint64_t length = 100;
  const bare_messages in(2000, length);
  scan_of scan(in);
  BOOST_TEST(scan.added(10) == 10u);
  BOOST_TEST(scan.added(all, 20 * length) == 20u);
  BOOST_TEST(scan.added() == 64u);  // no chains before the first 64
  BOOST_TEST(scan.added(70) == 70u);
  BOOST_TEST(scan.added(all, 80 * length) == 80u);
  BOOST_TEST(scan.added(1) == 1u);
}

BOOST_AUTO_TEST_CASE(small_archives_have_no_chains) {
  for (const auto& [count, added] : {std::pair{650u, 512u}, {656u, 592u}}) {  // of 65,000 and 65,600 bytes
    const bare_messages in(count, 100);
    scan_of scan(in);
    BOOST_TEST(scan.added() == 64u);
    BOOST_TEST(scan.added() == added);
  }
}

BOOST_AUTO_TEST_CASE(lengths_at_the_end_of_messages) {
  for (const auto& [length, added] : {std::pair{100u, 64u}, {0u, 64u}, {1u, 0u}, {99u, 0u}}) {
    bare_messages in(100, 100);
    in.set_lengths_at_ends(length);
    scan_of scan(in);
    BOOST_TEST(scan.added() == added);
    BOOST_TEST(scan.scan.needs_parser() == (added == 0));
  }
}

BOOST_AUTO_TEST_CASE(after_damage_a_scan_begins_slowly_again) {
  constexpr std::uint64_t length = 1000;
  bare_messages in(5000, length);
  in.damage(1000);
  scan_of scan(in);
  for (std::size_t region = 0; region < 3; ++region) BOOST_TEST(scan.added() > 0u);
  while (!scan.scan.needs_parser()) BOOST_TEST(scan.added() > 0u);
  BOOST_TEST(scan.at == 1000 * length);
  scan.at += length;
  BOOST_TEST(scan.added() == 64u);
  BOOST_TEST(scan.added() == messages_in(64 * kib, length));
  BOOST_TEST(scan.added() == messages_in(128 * kib, length));
  scan.scan.record_message(0, 0);
  BOOST_TEST(scan.added() == 64u);
}

BOOST_AUTO_TEST_CASE(messages_that_the_caller_adds_count) {
  constexpr std::uint64_t length = 1000;
  const bare_messages in(1000, length);
  for (const unsigned recorded : {63u, 64u}) {
    scan_of scan(in);
    scan.scan.record_message(length, 0);
    scan.scan.record_message(0, 0);  // damage
    for (unsigned n = 0; n < recorded; ++n) scan.scan.record_message(length, 0);
    BOOST_TEST(scan.added() == (recorded < 64 ? 64u : messages_in(64 * kib, length)));
  }
}

BOOST_AUTO_TEST_CASE(structure_that_is_far_apart_is_read) {
  BOOST_REQUIRE(!tgmap::mapping_guard::install());
  const temporary_directory temporary;
  tgmap::failure why;
  const auto in = tgmap::io::source::from_file(
      tgmap::io::file::open(temporary.file("a.tgm", numbered_archive(100)), why), {.io = tgmap::io_mode::map}, why);
  BOOST_REQUIRE(in != nullptr);
  in->expect_many();
  BOOST_REQUIRE(in->direct());

  struct recorded {
    std::uint64_t length, frames;
  };
  const auto reads = [&](std::initializer_list<recorded> messages) {
    inner::message_table table;
    inner::way_choice way;
    sequential_scan scan(*in, table, way);
    const auto* const for_reads = &scan.window();  // of a scan that knows nothing of the messages
    for (const recorded& each : messages) scan.record_message(each.length, each.frames);
    return &scan.window() == for_reads;
  };
  constexpr std::uint64_t far = tgmap::io::far_apart;
  BOOST_TEST(reads({}));
  BOOST_TEST(reads({{far, 0}}));
  BOOST_TEST(!reads({{far - 1, 0}}));
  BOOST_TEST(reads({{2 * far, 1}}));
  BOOST_TEST(!reads({{2 * far - 2, 1}}));
  BOOST_TEST(reads({{4 * far, 3}}));
  // Damage changes no mean.
  BOOST_TEST(reads({{far, 0}, {0, 9}}));
  BOOST_TEST(!reads({{far - 1, 0}, {0, 0}}));
  // A moving average, to which a message contributes an eighth.
  BOOST_TEST(reads({{far, 0}, {far, 0}}));
  BOOST_TEST(!reads({{far, 0}, {far - 8, 0}}));
  BOOST_TEST(reads({{far / 2, 0}, {far / 2 * 9, 0}}));
  BOOST_TEST(!reads({{far / 2, 0}, {far / 2 * 9 - 8, 0}}));
}

BOOST_AUTO_TEST_SUITE_END()
