// SPDX-License-Identifier: Apache-2.0
// Archives, copies and pins keep borrowed bytes alive.
#include <boost/test/unit_test.hpp>
#include <optional>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <thread>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(lifetime_test)

namespace {

template <class F>
void mapped_and_read(F&& body) {
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const temporary_directory temporary;
    const auto path = temporary.file("archive.tgm", mixed_archive(6));
    BOOST_TEST_CONTEXT(mode) { body(path, tgmap::open_options{.io = mode}); }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pin_outlives_the_archive) {
  mapped_and_read([](const auto& path, const auto& options) {
    tgmap::pin pin;
    tgmap::message message;
    tgmap::metadata metadata;
    std::span<const std::byte> payload;
    {
      const tgmap::archive archive(path, options);
      pin = archive.pin();
      message = archive[2];
      metadata = message.base(0);
      payload = message[0].payload();
    }
    std::filesystem::remove(path);
    BOOST_TEST(static_cast<bool>(pin));
    BOOST_TEST(sound(message));
    BOOST_TEST((metadata.get<std::uint64_t>("n") == 2u));
    BOOST_TEST(view_of(payload) == payload_of(2, payload.size()));
  });
}

BOOST_AUTO_TEST_CASE(a_pin_may_be_dropped_on_another_thread) {
  mapped_and_read([](const auto& path, const auto& options) {
    std::optional<tgmap::archive> archive(std::in_place, path, options);
    const auto message = archive->back();
    tgmap::pin pin = archive->pin();
    archive.reset();
    std::thread([pin = std::move(pin), message]() mutable {
      const bool fine = sound(message);
      pin = {};
      if (!fine) std::abort();
    }).join();
  });
}

BOOST_AUTO_TEST_CASE(copies_share_caches) {
  mapped_and_read([](const auto& path, const auto& options) {
    tgmap::archive archive(path, options);
    const tgmap::archive copy = archive;
    (void)archive[3];
    BOOST_TEST(copy.scan_progress().messages == 4u);
    const tgmap::archive moved = std::move(archive);
    BOOST_TEST(moved.scan_progress().messages == 4u);
    BOOST_TEST(sound(copy[5]));
  });
}

BOOST_AUTO_TEST_CASE(a_refreshed_handle_does_not_need_the_old_one) {
  mapped_and_read([](const auto& path, const auto& options) {
    std::optional<tgmap::archive> old(std::in_place, path, options);
    const auto message = (*old)[1];
    append_file(path, numbered(6));
    const auto fresh = old->reopen();
    const auto pin = old->pin();
    old.reset();
    BOOST_TEST(sound(message));
    BOOST_TEST(fresh.size() == 7u);
    for (const auto& m : fresh) BOOST_TEST(sound(m));
  });
}

BOOST_AUTO_TEST_SUITE_END()
