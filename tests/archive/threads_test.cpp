// SPDX-License-Identifier: Apache-2.0
// All const members in many threads at once, mainly for the thread sanitizer.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <random>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>
#include <thread>
#include <vector>

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(threads_test)

namespace {

constexpr unsigned thread_count = 8, message_count = 300;

template <class F>
void on_threads(F&& body) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < thread_count; ++t) threads.emplace_back([&body, t] { body(t); });
  for (auto& thread : threads) thread.join();
}

template <class F>
void in_both_modes(const bytes& data, F&& body) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read})
    for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk})
      body(tgmap::archive(path, {.io = mode, .damage = tgmap::on_damage::skip, .lookup = lookup}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_access_to_an_archive_not_scanned_yet) {
  in_both_modes(mixed_archive(message_count), [](const tgmap::archive& archive) {
    std::atomic<unsigned> wrong{0};
    on_threads([&](unsigned t) {
      std::minstd_rand random(t + 1);
      for (unsigned k = 0; k < 200; ++k) {
        const std::size_t i = random() % message_count;
        const auto m = archive[i];
        if (number_of(m) != i || !sound(m) || m.index() != i) ++wrong;
        if (m[0].verify() != tgmap::hash_result::match) ++wrong;
      }
    });
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(archive.size() == message_count);
  });
}

BOOST_AUTO_TEST_CASE(scans_sizes_ends_and_progress_at_once) {
  const bytes data = "junk" + mixed_archive(message_count) + "more junk" + numbered(message_count);
  in_both_modes(data, [](const tgmap::archive& archive) {
    std::atomic<unsigned> wrong{0};
    on_threads([&](unsigned t) {
      switch (t % 4) {
        case 0:
          while (!archive.scan(1000).is_complete) {
          }
          break;
        case 1:
          if (archive.size() != message_count + 1) ++wrong;
          break;
        case 2:
          if (number_of(archive.back()) != message_count) ++wrong;
          break;
        default: {
          std::uint64_t last = 0;
          for (;;) {
            const auto known = archive.scan_progress();
            if (known.messages < last) ++wrong;
            last = known.messages;
            if (known.is_complete) break;
            (void)archive.gaps();
            (void)archive.incomplete_tail();
            std::this_thread::yield();
          }
        }
      }
    });
    BOOST_TEST(wrong == 0u);
    BOOST_TEST(archive.gaps().size() == 2u);
  });
}

BOOST_AUTO_TEST_CASE(one_message_of_many_objects) {
  message_spec spec;
  for (unsigned n = 0; n < 2000; ++n) spec.objects.push_back(bytes_object(payload_of(n, 8)));
  for (const auto place : {where::none, where::header, where::footer}) {
    spec.index = place;
    in_both_modes(message(spec), [](const tgmap::archive& archive) {
      std::atomic<unsigned> wrong{0};
      const auto m = archive[0];
      on_threads([&](unsigned t) {
        std::minstd_rand random(t + 1);
        for (unsigned k = 0; k < 100; ++k) {
          const auto j = static_cast<unsigned>(random() % 2000);
          if (view_of(m[j].payload()) != payload_of(j, 8)) ++wrong;
        }
      });
      BOOST_TEST(wrong == 0u);
    });
  }
}

BOOST_AUTO_TEST_CASE(a_payload_read_by_all_threads_is_stored_once) {
  const temporary_directory temporary;
  const tgmap::archive archive(temporary.file("a.tgm", numbered(1, 3, 100000)),
                               {.io = tgmap::io_mode::read, .max_resident_bytes = 250000});
  std::vector<const void*> where(thread_count);
  std::atomic<unsigned> wrong{0};
  on_threads([&](unsigned t) {
    tgmap::failure why;
    const auto payload = archive[0][0].payload(why);
    if (why || view_of(payload) != payload_of(1, 100000)) ++wrong;
    where[t] = payload.data();
  });
  BOOST_TEST(wrong == 0u);
  for (const auto* at : where) BOOST_TEST(at == where[0]);
}

BOOST_AUTO_TEST_CASE(handles_are_copied_while_others_are_used) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", mixed_archive(40));
  const tgmap::archive archive(path);
  std::atomic<unsigned> wrong{0};
  on_threads([&](unsigned t) {
    for (unsigned k = 0; k < 20; ++k) {
      const auto fresh = t % 2 ? archive.reopen() : tgmap::archive(archive);
      const auto pin = fresh.pin();
      if (!sound(fresh[k])) ++wrong;
    }
  });
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
