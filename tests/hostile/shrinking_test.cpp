// SPDX-License-Identifier: Apache-2.0
// Other programs truncate, rewrite and append to mapped files: errors, never a signal.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <random>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/rounds.hpp>
#include <support/temporary.hpp>
#include <thread>

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(shrinking_test)

namespace {

/// Does everything that reads structure or copies payloads; with a guard also walks over views. Returns the number of
/// failures.
unsigned read_everything(const tgmap::archive& archive) {
  unsigned failures = 0;
  tgmap::failure why;
  const auto met = [&] { failures += why ? 1 : 0; };
  archive.scan(UINT64_MAX, {}, why);
  met();
  (void)archive.nth_from_end(0, why);
  met();
  const std::size_t count = archive.scan_progress().messages;
  for (std::size_t i = 0; i < count; ++i) {
    const tgmap::message message = archive.at(i, why);
    met();
    (void)message.flags();
    (void)message.index_location(why);
    met();
    (void)message.hash_list(why);
    met();
    auto frames = message.frames(why);
    for (tgmap::frame frame; frames.next(frame, why);) (void)frame.stored_hash();
    met();
    (void)archive.at_offset(message.offset(), why);
    met();
    const std::size_t objects = message.size(why);
    met();
    for (std::size_t j = 0; j < objects; ++j) {
      const tgmap::object object = message.at(j, why);
      met();
      if (why) continue;
      const tgmap::descriptor descriptor = object.descriptor(why);
      met();
      (void)object.why_not_in_place(descriptor.dtype);
      const tgmap::metadata metadata = object.metadata(why);
      met();
      (void)object.verify(why);
      met();
      bytes copy(object.payload_size(), '\0');
      object.read(0, std::as_writable_bytes(std::span(copy)), why);
      met();
      (void)object.decode({.byte_order = tgmap::output_byte_order::stored}, why);
      met();
      (void)object.decode_as(tgmap::dtype::float64, {}, why);
      met();
      (void)object.masks(why);
      met();
      (void)object.decode_range(0, descriptor.element_count / 2, {}, why);
      met();
      failures += archive.prefetch(object) ? 1 : 0;
      if (!tgmap::mapping_guard::is_installed()) continue;
      // Views, which only a guard makes safe.
      (void)metadata.find("a.b");
      (void)metadata.entries();
      (void)descriptor.entries.find("x");
      (void)descriptor.type.text();
      const auto payload = object.payload(why);
      unsigned sum = 0;
      if (tgmap::mapping_guard::run([&]() noexcept {
            for (const std::byte b : payload) sum += static_cast<unsigned>(b);
          }))
        ++failures;
    }
  }
  return failures;
}

bytes sample() { return several(0, 12, 9000) + several(12, 30, 20); }

}  // namespace

BOOST_AUTO_TEST_CASE(truncated_to_every_size) {
  const temporary_directory temporary;
  const bytes data = sample();
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read})
    for (const bool known : {false, true})
      for (const std::size_t kept : {0u, 1u, 100u, 4095u, 4096u, 9001u, 40960u, 100000u}) {
        const auto path = temporary.file("a.tgm", data);
        const tgmap::archive archive(path, {.io = mode, .damage = tgmap::on_damage::skip});
        if (known) BOOST_TEST(read_everything(archive) == 0u);
        std::filesystem::resize_file(path, kept);
        BOOST_TEST(read_everything(archive) > 0u);
        BOOST_TEST(archive.size_bytes() == data.size());
        tgmap::failure why;
        (void)archive.reopen(why);
        TGMAP_FAILED(why, errc::file_shrank);
      }
}

BOOST_AUTO_TEST_CASE(lost_bytes_are_reported_with_their_offset) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", sample());
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  const tgmap::message last = archive.back();
  const tgmap::object object = last[0];
  BOOST_REQUIRE(last.offset() > 8192u);
  std::filesystem::resize_file(path, 4096);
  tgmap::failure why;
  (void)object.descriptor(why);
  TGMAP_FAILED(why, errc::file_shrank);
  BOOST_TEST(why.offset > last.offset());
  BOOST_TEST(why.object == 0);
  (void)last.size(why);
  TGMAP_FAILED(why, errc::file_shrank);
  archive.scan(UINT64_MAX, {}, why);
  TGMAP_FAILED(why, errc::file_shrank);
  BOOST_TEST(archive.scan_progress().scanned_bytes <= 4096u + 9100u);
  BOOST_TEST(!archive.scan_progress().is_complete);
  TGMAP_FAILED(archive.prefetch(object), errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(cached_metadata_is_returned_without_lost_bytes) {
  message_spec sound, unsound;
  for (unsigned n = 0; n < 20; ++n) {
    for (message_spec* each : {&sound, &unsound}) each->objects.push_back(bytes_object(bytes(10, 'p')));
    sound.base.push_back(cbor::map({cbor::key("n", cbor::integer(n))}));
    unsound.base.push_back(n == 7 ? cbor::integer(1) : cbor::map({}));
  }
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", bytes(message(sound)) + message(unsound));
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  const tgmap::message first = archive[0], second = archive[1];
  (void)first.base(3);
  (void)second.base(3);
  std::filesystem::resize_file(path, 0);
  tgmap::failure why;
  BOOST_TEST(!first.base(4, why).empty());
  TGMAP_SUCCEEDED(why);
  (void)second.base(7, why);
  TGMAP_FAILED(why, errc::wrong_kind);
}

BOOST_AUTO_TEST_CASE(restored_bytes_can_be_read_again) {
  const temporary_directory temporary;
  const bytes data = sample();
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  std::filesystem::resize_file(path, 10);
  tgmap::failure why;
  archive.scan(UINT64_MAX, {}, why);
  TGMAP_FAILED(why, errc::file_shrank);
  write_file(path, data);
  archive.scan(UINT64_MAX, {}, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(archive.size() == 42u);
  BOOST_TEST(read_everything(archive) == 0u);
}

BOOST_AUTO_TEST_CASE(readers_survive_a_process_that_truncates_rewrites_and_appends) {
  const temporary_directory temporary;
  const bytes data = sample(), more = several(42, 1, 500);
  const auto path = temporary.file("a.tgm", data);
  const pid_t writer = ::fork();
  BOOST_REQUIRE(writer >= 0);
  if (writer == 0) {
    std::minstd_rand random(7);
    for (unsigned n = 0; n < tgmap_test::rounds(1500u); ++n) {
      if (random() % 2) std::filesystem::resize_file(path, random() % data.size());
      write_file(path, data);
      if (random() % 4 == 0) append_file(path, more);
    }
    write_file(path, data + more);
    std::_Exit(0);
  }
  std::atomic<bool> over{false};
  std::atomic<unsigned> rounds{0}, failures{0};
  std::vector<std::jthread> readers;
  for (unsigned t = 0; t < 8; ++t)
    readers.emplace_back([&, t] {
      for (unsigned n = 0; !over || n < 3; ++n) {
        tgmap::failure why;
        tgmap::archive archive = tgmap::archive::open(
            path, {.io = t % 4 == 3 ? tgmap::io_mode::read : tgmap::io_mode::map, .damage = tgmap::on_damage::skip},
            why);
        if (why) continue;  // empty just then, or shorter between two system calls
        failures += read_everything(archive);
        const tgmap::archive fresh = archive.reopen(why);
        if (!why) failures += read_everything(fresh);
        ++rounds;
      }
    });
  int status = -1;
  BOOST_REQUIRE(::waitpid(writer, &status, 0) == writer);
  over = true;
  readers.clear();
  BOOST_TEST(status == 0);
  BOOST_TEST(rounds > 0u);
  BOOST_TEST_MESSAGE(rounds << " rounds, " << failures << " failures met");

  // In the end all messages are whole and as written.
  const tgmap::archive archive(path);
  BOOST_TEST(archive.size() == 43u);
  for (const tgmap::message& message : archive) BOOST_TEST(sound(message));
  BOOST_TEST(read_everything(archive) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
