// SPDX-License-Identifier: Apache-2.0
// Messages that cannot be read to their end after their beginning was written.
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/samples.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
using tgmap::new_message;

BOOST_AUTO_TEST_SUITE(rollback_test)

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;  // more than a writer copies at once

/// A sink in memory that may refuse to roll back or to accept more bytes. It does not implement bytes_written().
class limited_sink final : public tgmap::sink {
 public:
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    if (bytes.size() >= room) return {.code = std::make_error_code(std::errc::no_space_on_device)};
    for (const auto piece : pieces) bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return {};
  }
  tgmap::failure rollback(std::uint64_t count) noexcept override {
    ++rollbacks;
    if (!can_roll_back || count > bytes.size()) return {.code = tgmap::errc::cannot_overwrite};
    bytes.resize(bytes.size() - count);
    return {};
  }

  tgmap_test::bytes bytes{};
  std::size_t room = SIZE_MAX;
  bool can_roll_back = true;
  int rollbacks = 0;
};

/// A file with a small message and one of 5 MiB, which can be truncated.
struct shrinking_archive {
  temporary_directory here{};
  bytes small = numbered(0), large = numbered(1, 3, 5 * mebibyte);
  std::filesystem::path path = here.file("from.tgm", small + large);
  tgmap::archive from{path, {.io = tgmap::io_mode::read}};
  tgmap::message first = from[0], second = from[1];

  void cut(std::size_t kept) const { std::filesystem::resize_file(path, kept); }
  void restore() const { write_file(path, small + large); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_source_that_shrinks_leaves_the_sink_unchanged, shrinking_archive) {
  for (const std::size_t kept : {small.size() + 3 * mebibyte, small.size() + 100, std::size_t{10}}) {
    limited_sink to;
    tgmap::writer out(to);
    out.write(first);
    cut(kept);
    tgmap::failure why;
    out.write(second, why);
    TGMAP_FAILED(why, tgmap::errc::file_shrank);
    BOOST_TEST((to.bytes == small));
    BOOST_TEST(to.rollbacks == (kept > mebibyte ? 1 : 0));
    BOOST_TEST(out.bytes_written() == small.size());
    BOOST_TEST(out.messages() == 1U);
    restore();
    out.write(second);  // the writer continues
    BOOST_TEST((to.bytes == small + large));
    BOOST_TEST(out.bytes_written() == to.bytes.size());
  }
}

BOOST_FIXTURE_TEST_CASE(objects_of_a_source_that_shrinks, shrinking_archive) {
  new_message message;
  message.objects.emplace_back(tgmap::stored_object::of(second, 0));
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  out.write(first);
  cut(small.size() + 3 * mebibyte);
  tgmap::failure why;
  out.write(message, why);
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  BOOST_TEST(sink.bytes_written() == small.size());
  restore();
  out.write(message);
  const auto a = tgmap::archive::from_memory(sink.bytes());
  BOOST_TEST_REQUIRE(a.size() == 2U);
  BOOST_TEST(a[1][0].verify() == tgmap::hash_result::match);
}

BOOST_FIXTURE_TEST_CASE(a_file_is_truncated, shrinking_archive) {
  const auto path = here.file("to.tgm", "");
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  {
    tgmap::descriptor_sink sink(descriptor);
    tgmap::writer out(sink);
    out.write(first);
    cut(small.size() + 3 * mebibyte);
    tgmap::failure why;
    out.write(second, why);
    TGMAP_FAILED(why, tgmap::errc::file_shrank);
    BOOST_TEST((read_file(path) == small));
    restore();
    out.write(second);
  }
  ::close(descriptor);
  BOOST_TEST((read_file(path) == small + large));
}

BOOST_FIXTURE_TEST_CASE(a_failed_rollback_ends_the_writer, shrinking_archive) {
  limited_sink to;
  to.can_roll_back = false;
  tgmap::writer out(to);
  cut(10);
  tgmap::failure why;
  out.write(second, why);  // nothing is written yet
  TGMAP_FAILED(why, tgmap::errc::file_shrank);
  restore();
  out.write(first);
  cut(small.size() + 3 * mebibyte);
  out.write(second, why);
  TGMAP_FAILED(why, tgmap::errc::file_shrank);  // the first error, not that of the rollback
  BOOST_TEST(out.bytes_written() == small.size());
  restore();
  out.write(first, why);
  TGMAP_FAILED(why, tgmap::errc::call_out_of_order);
}

BOOST_FIXTURE_TEST_CASE(a_failed_sink_is_not_rolled_back, shrinking_archive) {
  limited_sink to;
  to.room = 2 * mebibyte;
  tgmap::writer out(to);
  tgmap::failure why;
  out.write(second, why);
  BOOST_TEST((why.code == std::errc::no_space_on_device));
  BOOST_TEST(to.rollbacks == 0);
  to.room = SIZE_MAX;
  out.write(first, why);
  TGMAP_FAILED(why, tgmap::errc::call_out_of_order);
}

BOOST_AUTO_TEST_SUITE_END()
