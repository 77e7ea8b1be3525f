// SPDX-License-Identifier: Apache-2.0
// Objects that are decoded into the caller's memory.
#include <tgmap/decode/decode_many.hpp>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <support/failures.hpp>
#include <support/rounds.hpp>

#include "executors.hpp"
#include "objects.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::on_failure;

BOOST_AUTO_TEST_SUITE(decode_many_test)

namespace {

/// An executor that requests a stop after a number of tasks.
class stopping_executor final : public tgmap::executor {
 public:
  stopping_executor(std::stop_source& stop, std::size_t piece) : stop_(stop), piece_(piece) {}
  unsigned concurrency() const noexcept override { return 4; }
  void run(std::size_t count, task task) noexcept override {
    for (std::size_t i = 0; i < count; ++i) {
      if (i == piece_) stop_.request_stop();
      task.run(task.context, i);
    }
  }

 private:
  std::stop_source& stop_;
  std::size_t piece_;
};

/// An executor that counts its runs.
class counting_executor final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 4; }
  void run(std::size_t count, task task) noexcept override {
    ++calls;
    for (std::size_t i = 0; i < count; ++i) task.run(task.context, i);
  }
  std::atomic<int> calls{0};
};

tgmap::decode_many_options on(tgmap::executor& threads, on_failure failures = on_failure::stop) {
  return {.decode = {.executor = &threads}, .failures = failures};
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_executor_in_every_mode) {
  case_sampler cases(3);
  for (const auto& [count, size] : {std::pair{3u, 400000u}, {40u, 30000u}, {1000u, 300u}, {5u, 100u}})
    mapped_and_read(archive_of(count, size),
                    [&, n = count, expected = values_of(count, size)](const tgmap::archive& a) {
                      const auto objects = objects_of(a);
                      BOOST_TEST_REQUIRE(objects.size() == n);
                      for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
                          if (!cases.takes_next()) continue;
                          const output_buffers out(objects);
                          const auto done = tgmap::decode_many(objects, out.spans(), on(*threads));
                          BOOST_TEST(done.decoded == n);
                          BOOST_TEST(!done.stopped);
                          BOOST_TEST(done.failures.empty());
                          unsigned wrong = 0;
                          for (unsigned i = 0; i < n; ++i) wrong += out[i] != expected[i];
                          BOOST_TEST(wrong == 0u);
                        }
                    });
}

BOOST_AUTO_TEST_CASE(shared_executor_is_the_default) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(30, 30000)));
  const auto objects = objects_of(a);
  const output_buffers out(objects);
  BOOST_TEST(tgmap::decode_many(objects, out.spans()).decoded == 30u);
  BOOST_TEST(out[29] == payload_of(29, 30000));
}

BOOST_AUTO_TEST_CASE(one_box_of_each_object) {
  const tgmap::slab box({1000}, {50}, {3});
  mapped_and_read(archive_of(40, 30000), [&](const tgmap::archive& a) {
    const auto objects = objects_of(a);
    for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
        std::vector<std::array<std::byte, 50>> parts(objects.size());
        std::vector<std::span<std::byte>> out(parts.begin(), parts.end());
        BOOST_TEST(tgmap::decode_many(objects, box, out, on(*threads)).decoded == 40u);
        unsigned wrong = 0;
        for (unsigned i = 0; i < 40; ++i) {
          const bytes whole = payload_of(i, 30000);
          for (std::size_t k = 0; k < 50; ++k) wrong += static_cast<char>(parts[i][k]) != whole[1000 + 3 * k];
        }
        BOOST_TEST(wrong == 0u);
      }
  });
}

BOOST_AUTO_TEST_CASE(box_that_an_object_does_not_have) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(3, 100) + archive_of(1, 10)));
  const auto objects = objects_of(a);
  std::vector<std::array<std::byte, 20>> parts(objects.size());
  const std::vector<std::span<std::byte>> out(parts.begin(), parts.end());
  tgmap::failure why;
  const auto done = tgmap::decode_many(objects, tgmap::slab({0}, {20}), out, {}, why);
  TGMAP_FAILED(why, errc::out_of_range);
  BOOST_TEST(done.decoded == 3u);
  BOOST_TEST(done.failures[0].index == 3u);
  TGMAP_THROWS(tgmap::decode_many(objects, tgmap::slab({0}, {19}), out), errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(no_objects) {
  const auto done = tgmap::decode_many({}, {});
  BOOST_TEST(done.decoded == 0u);
  BOOST_TEST(!done.stopped);
}

BOOST_AUTO_TEST_CASE(number_of_outputs_must_match) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(3, 100)));
  const auto objects = objects_of(a);
  const output_buffers out(objects);
  tgmap::failure why;
  const auto done = tgmap::decode_many(objects, out.spans().first(2), {}, why);
  TGMAP_FAILED(why, errc::invalid_option);
  BOOST_TEST(why.expected == 3u);
  BOOST_TEST(why.found == 2u);
  BOOST_TEST(done.decoded == 0u);
  BOOST_TEST(done.stopped);
  BOOST_TEST(out[0] == bytes(100, '?'));
  TGMAP_THROWS(tgmap::decode_many(objects, out.spans().first(2)), errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(sizes_of_outputs_must_match) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(3, 100)));
  const auto objects = objects_of(a);
  const output_buffers out(objects);
  std::vector<std::span<std::byte>> spans(out.spans().begin(), out.spans().end());
  spans[1] = spans[1].first(99);
  tgmap::failure why;
  const auto done = tgmap::decode_many(objects, spans, {.failures = on_failure::keep_going}, why);
  TGMAP_FAILED(why, errc::invalid_option);
  BOOST_TEST(done.decoded == 2u);
  BOOST_TEST_REQUIRE(done.failures.size() == 1u);
  BOOST_TEST(done.failures[0].index == 1u);
}

BOOST_AUTO_TEST_CASE(first_failure_does_not_depend_on_threads) {
  const temporary_directory files;
  for (const auto& [count, size] : {std::pair{60u, 30000u}, {2000u, 200u}, {10u, 90u}}) {
    const tgmap::archive a(files.file("a.tgm", archive_of(count, size, {7, 8, 9, count - 1})));
    const auto expected = values_of(7, size);
    const auto objects = objects_of(a);
    for (const auto& [name, threads] : all_executors())
      for (int again = 0; again < rounds(5); ++again) BOOST_TEST_CONTEXT(name) {
          const output_buffers out(objects);
          tgmap::failure why;
          const auto done = tgmap::decode_many(objects, out.spans(), on(*threads), why);
          TGMAP_FAILED(why, errc::decoded_size_mismatch);
          BOOST_TEST_REQUIRE(done.failures.size() == 1u);
          BOOST_TEST(done.failures[0].index == 7u);
          BOOST_TEST(why.offset == objects[7].payload_offset());
          BOOST_TEST(done.decoded >= 7u);
          for (unsigned i = 0; i < 7; ++i) BOOST_TEST(out[i] == expected[i]);
        }
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_begun_after_a_failure) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(60, 70000, {2})));
  const auto objects = objects_of(a);
  const output_buffers out(objects);
  calling_thread alone;
  tgmap::failure why;
  const auto done = tgmap::decode_many(objects, out.spans(), on(alone), why);
  BOOST_TEST(done.decoded == 2u);
  BOOST_TEST(done.stopped);
  BOOST_TEST(out[3] == bytes(70000, '?'));
  TGMAP_THROWS(tgmap::decode_many(objects, out.spans(), on(alone)), errc::decoded_size_mismatch);
}

BOOST_AUTO_TEST_CASE(keep_going_returns_all_failures_in_order) {
  const temporary_directory files;
  for (const auto& [count, size] : {std::pair{60u, 30000u}, {3000u, 200u}}) {
    const std::vector<unsigned> damaged{0, 3, 4, 31, count - 1};
    const tgmap::archive a(files.file("a.tgm", archive_of(count, size, damaged)));
    const auto expected = values_of(count, size);
    const auto objects = objects_of(a);
    for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
        const output_buffers out(objects);
        tgmap::failure why;
        const auto done = tgmap::decode_many(objects, out.spans(), on(*threads, on_failure::keep_going), why);
        TGMAP_FAILED(why, errc::decoded_size_mismatch);
        BOOST_TEST(why.message == 0);
        BOOST_TEST(!done.stopped);
        BOOST_TEST(done.decoded == count - damaged.size());
        std::vector<unsigned> reported;
        for (const auto& [number, reason] : done.failures) {
          TGMAP_FAILED(reason, errc::decoded_size_mismatch);
          reported.push_back(static_cast<unsigned>(number));
        }
        BOOST_TEST(reported == damaged);
        unsigned wrong = 0;
        for (unsigned i = 0; i < count; ++i)
          wrong += std::ranges::find(damaged, i) == damaged.end() && out[i] != expected[i];
        BOOST_TEST(wrong == 0u);
      }
  }
}

BOOST_AUTO_TEST_CASE(stop_token) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(60, 70000)));
  const auto objects = objects_of(a);
  {
    std::stop_source stop;
    stop.request_stop();
    const output_buffers out(objects);
    tgmap::failure why;
    const auto done = tgmap::decode_many(objects, out.spans(), {.stop = stop.get_token()}, why);
    TGMAP_SUCCEEDED(why);
    BOOST_TEST(done.decoded == 0u);
    BOOST_TEST(done.stopped);
  }
  {
    std::stop_source stop;
    stopping_executor on_the_way(stop, 0);
    const output_buffers out(objects);
    auto options = on(on_the_way);
    options.stop = stop.get_token();
    const auto done = tgmap::decode_many(objects, out.spans(), options);
    BOOST_TEST(done.decoded == 0u);
    BOOST_TEST(done.stopped);
  }
  // A stop from another thread at any time: objects that were begun are complete, the others unchanged.
  const auto threads = tgmap::make_executor(2);
  std::stop_source stop;
  auto options = on(*threads);
  options.stop = stop.get_token();
  const output_buffers out(objects);
  std::jthread other([&] { stop.request_stop(); });
  const auto done = tgmap::decode_many(objects, out.spans(), options);
  std::size_t whole = 0;
  for (unsigned i = 0; i < objects.size(); ++i)
    if (out[i] == payload_of(i, 70000))
      ++whole;
    else
      BOOST_TEST(out[i] == bytes(70000, '?'));
  BOOST_TEST(whole == done.decoded);
  BOOST_TEST(done.stopped == (whole < objects.size()));
}

BOOST_AUTO_TEST_CASE(little_work_needs_no_threads) {
  const temporary_directory files;
  const tgmap::archive little(files.file("little.tgm", archive_of(50, 1000))),
      much(files.file("much.tgm", archive_of(50, 10000)));
  for (const auto* a : {&little, &much}) {
    counting_executor threads;
    const auto objects = objects_of(*a);
    const output_buffers out(objects);
    BOOST_TEST(tgmap::decode_many(objects, out.spans(), on(threads)).decoded == 50u);
    BOOST_TEST((threads.calls != 0) == (a == &much));
  }
}

BOOST_AUTO_TEST_CASE(repeated_objects_of_several_archives) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(2, 100000))), b(files.file("b.tgm", archive_of(4, 50000)));
  std::vector<tgmap::object> objects;
  for (int again = 0; again < 8; ++again) {
    objects.push_back(a[0][0]);
    objects.push_back(objects_of(b)[3]);
  }
  for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
      const output_buffers out(objects);
      BOOST_TEST(tgmap::decode_many(objects, out.spans(), on(*threads)).decoded == 16u);
      for (std::size_t i = 0; i < 16; ++i) BOOST_TEST(out[i] == (i % 2 ? payload_of(3, 50000) : payload_of(0, 100000)));
    }
}

BOOST_AUTO_TEST_CASE(default_constructed_objects_fail) {
  const std::vector<tgmap::object> none(3);
  const std::vector<std::span<std::byte>> out(3);
  tgmap::failure why;
  const auto done = tgmap::decode_many(none, out, {.failures = on_failure::keep_going}, why);
  TGMAP_FAILED(why, errc::no_archive);
  BOOST_TEST(done.failures.size() == 3u);
  BOOST_TEST(tgmap::decode_many(none, out, why).failures.size() == 1u);
  TGMAP_FAILED(why, errc::no_archive);
}

BOOST_AUTO_TEST_CASE(calls_from_tasks_and_from_several_threads) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(40, 20000)));
  const auto objects = objects_of(a);
  const bytes last = payload_of(39, 20000);
  for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
      std::atomic<std::size_t> decoded{0};
      run_on(*threads, 6, [&, &pool = *threads](std::size_t) {
        const output_buffers out(objects);
        decoded += tgmap::decode_many(objects, out.spans(), on(pool)).decoded;
        if (out[39] != last) decoded += 1000;
      });
      BOOST_TEST(decoded == 240u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
