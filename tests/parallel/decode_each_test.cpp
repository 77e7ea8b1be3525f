// SPDX-License-Identifier: Apache-2.0
// Objects that are decoded concurrently and delivered in order.
#include <boost/test/unit_test.hpp>
#include <set>
#include <stdexcept>
#include <support/failures.hpp>
#include <support/rounds.hpp>
#include <tgmap/decode/decode_many.hpp>

#include "executors.hpp"
#include "objects.hpp"

using namespace tgmap_test;
using tgmap::errc;
using tgmap::on_failure;

BOOST_AUTO_TEST_SUITE(decode_each_test)

namespace {

struct seen {
  std::vector<std::size_t> numbers{};
  std::vector<bytes> values{};
  std::vector<std::size_t> failed{};
  std::set<std::thread::id> threads{};

  bool take(std::size_t number, const tgmap::tensor& decoded, const tgmap::failure& why) {
    numbers.push_back(number);
    values.emplace_back(view_of(decoded.bytes()));
    if (why) failed.push_back(number);
    threads.insert(std::this_thread::get_id());
    return true;
  }
  tgmap::tensor_receiver receiver() {
    return [this](std::size_t number, tgmap::tensor&& decoded, const tgmap::failure& why) {
      return take(number, decoded, why);
    };
  }
};

std::vector<std::size_t> first_numbers(std::size_t count) {
  std::vector<std::size_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = i;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_in_order_in_the_calling_thread) {
  case_sampler cases(7);
  for (const auto& [count, size] : {std::pair{3u, 400000u}, {40u, 30000u}, {1000u, 300u}, {5u, 100u}})
    mapped_and_read(
        archive_of(count, size), [&, n = count, expected = values_of(count, size)](const tgmap::archive& a) {
          const auto objects = objects_of(a);
          for (const auto& [name, threads] : all_executors())
            for (const std::uint64_t budget : {std::uint64_t{1} << 30, std::uint64_t{100000}, std::uint64_t{0}})
              BOOST_TEST_CONTEXT(name << ", at most " << budget) {
                if (!cases.takes_next()) continue;
                seen got;
                const auto done = tgmap::decode_each(objects, got.receiver(),
                                                     {.decode = {.executor = threads.get()}, .max_bytes = budget});
                BOOST_TEST(done.decoded == n);
                BOOST_TEST(!done.stopped);
                BOOST_TEST((got.numbers == first_numbers(n)));
                BOOST_TEST((got.threads == std::set{std::this_thread::get_id()}));
                unsigned wrong = 0;
                for (unsigned i = 0; i < n; ++i) wrong += got.values[i] != expected[i];
                BOOST_TEST(wrong == 0u);
              }
        });
}

BOOST_AUTO_TEST_CASE(memory_is_bounded) {
  const temporary_directory files;
  constexpr std::size_t size = 10000;
  const tgmap::archive a(files.file("a.tgm", archive_of(200, size)));
  const auto objects = objects_of(a);
  for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{size - 1}, std::uint64_t{size},
                                     std::uint64_t{2 * size - 1}, std::uint64_t{35 * size + 1}}) {
    // Everything is delivered between two runs of the executor.
    std::size_t now = 0, most = 0, calls = 0;
    const auto count_on = [&] {
      if (calls++ != 0) most = std::max(most, now);  // before the first run, the caller has decoded some objects alone
      now = 0;
    };
    separate_thread threads(4, count_on);
    const auto done =
        tgmap::decode_each(objects, [&](std::size_t, tgmap::tensor&&, const tgmap::failure&) { return ++now != 0; },
                           {.decode = {.executor = &threads}, .max_bytes = budget});
    BOOST_TEST(done.decoded == 200u);
    BOOST_TEST(calls > 1u);
    BOOST_TEST(most == std::max<std::size_t>(1, budget / size));
  }
}

BOOST_AUTO_TEST_CASE(decoding_continues_while_the_receiver_works) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(50, 30000)));
  const auto objects = objects_of(a);
  const auto threads = tgmap::make_thread_executor(3);
  std::size_t most = 0;
  const auto done = tgmap::decode_each(objects,
                                       [&](std::size_t number, tgmap::tensor&&, const tgmap::failure&) {
                                         std::atomic<int> ran{0};  // the receiver uses the same executor
                                         run_on(*threads, 10, [&](std::size_t) { ++ran; });
                                         most = std::max(most, number);
                                         return ran == 10;
                                       },
                                       {.decode = {.executor = threads.get()}, .max_bytes = 100000});
  BOOST_TEST(done.decoded == 50u);
  BOOST_TEST(most == 49u);
}

BOOST_AUTO_TEST_CASE(failure_is_the_last_one_delivered) {
  const temporary_directory files;
  for (const auto& [count, size] : {std::pair{60u, 30000u}, {2000u, 200u}, {20u, 90u}}) {
    const tgmap::archive a(files.file("a.tgm", archive_of(count, size, {11, 12})));
    const auto objects = objects_of(a);
    for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
        seen got;
        const auto done = tgmap::decode_each(objects, got.receiver(), {.decode = {.executor = threads.get()}});
        BOOST_TEST((got.numbers == first_numbers(12)));
        BOOST_TEST((got.failed == std::vector<std::size_t>{11}));
        BOOST_TEST(got.values[11].empty());
        BOOST_TEST(done.decoded == 11u);
        BOOST_TEST(done.stopped);
        BOOST_TEST_REQUIRE(done.failures.size() == 1u);
        BOOST_TEST(done.failures[0].index == 11u);
        TGMAP_FAILED(done.failures[0].cause, errc::decoded_size_mismatch);
      }
  }
}

BOOST_AUTO_TEST_CASE(keep_going_delivers_all_failures) {
  const temporary_directory files;
  const std::vector<unsigned> damaged{0, 11, 12, 59};
  const tgmap::archive a(files.file("a.tgm", archive_of(60, 30000, damaged)));
  const auto objects = objects_of(a);
  for (const auto& [name, threads] : all_executors()) BOOST_TEST_CONTEXT(name) {
      seen got;
      const auto done = tgmap::decode_each(objects, got.receiver(),
                                           {.decode = {.executor = threads.get()}, .failures = on_failure::keep_going});
      BOOST_TEST((got.numbers == first_numbers(60)));
      BOOST_TEST((got.failed == std::vector<std::size_t>{0, 11, 12, 59}));
      BOOST_TEST(done.decoded == 56u);
      BOOST_TEST(!done.stopped);
      BOOST_TEST(done.failures.size() == 4u);
    }
}

BOOST_AUTO_TEST_CASE(receiver_stops) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(60, 30000)));
  const auto objects = objects_of(a);
  for (const auto& [name, threads] : all_executors())
    for (const std::size_t enough : {0u, 20u, 59u}) BOOST_TEST_CONTEXT(name << ", " << enough) {
        seen got;
        const auto done =
            tgmap::decode_each(objects,
                               [&](std::size_t number, tgmap::tensor&& decoded, const tgmap::failure& why) {
                                 return got.take(number, decoded, why) && number != enough;
                               },
                               {.decode = {.executor = threads.get()}});
        BOOST_TEST((got.numbers == first_numbers(enough + 1)));
        BOOST_TEST(done.decoded == enough + 1);
        BOOST_TEST(done.stopped == (enough != 59));
      }
}

BOOST_AUTO_TEST_CASE(exceptions_of_the_receiver_pass_through) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(60, 30000)));
  const auto objects = objects_of(a);
  for (const auto& [name, threads] : all_executors())
    for (const std::size_t bad : {0u, 20u, 59u}) BOOST_TEST_CONTEXT(name << ", " << bad) {
        std::size_t calls = 0;
        const auto throws = [&](std::size_t number, tgmap::tensor&&, const tgmap::failure&) {
          ++calls;
          if (number == bad) throw std::runtime_error("not this one");
          return true;
        };
        BOOST_CHECK_THROW(tgmap::decode_each(objects, throws, {.decode = {.executor = threads.get()}}),
                          std::runtime_error);
        BOOST_TEST(calls == bad + 1);
      }
}

BOOST_AUTO_TEST_CASE(stop_token) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(60, 30000)));
  const auto objects = objects_of(a);
  for (const auto& [name, threads] : all_executors())
    for (const std::size_t at : {0u, 30u}) BOOST_TEST_CONTEXT(name << ", " << at) {
        std::stop_source stop;
        seen got;
        const auto done =
            tgmap::decode_each(objects,
                               [&](std::size_t number, tgmap::tensor&& decoded, const tgmap::failure& why) {
                                 if (number == at) stop.request_stop();
                                 return got.take(number, decoded, why);
                               },
                               {.decode = {.executor = threads.get()}, .stop = stop.get_token(), .max_bytes = 100000});
        // Objects that were begun are still delivered: at most those within the memory bound and those of the caller.
        BOOST_TEST(done.stopped);
        BOOST_TEST(done.decoded > at);
        BOOST_TEST(done.decoded <= at + 4);
        BOOST_TEST((got.numbers == first_numbers(done.decoded)));
      }
}

BOOST_AUTO_TEST_CASE(receiver_keeps_tensors) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(40, 20000)), {.io = tgmap::io_mode::read});
  std::vector<tgmap::tensor> kept;
  tgmap::decode_each(objects_of(a), [&](std::size_t, tgmap::tensor&& decoded, const tgmap::failure&) {
    kept.push_back(std::move(decoded));
    return true;
  });
  BOOST_TEST_REQUIRE(kept.size() == 40u);
  for (unsigned i = 0; i < 40; ++i) BOOST_TEST(view_of(kept[i].bytes()) == payload_of(i, 20000));
}

BOOST_AUTO_TEST_CASE(out_of_memory_without_exceptions) {
  const temporary_directory files;
  const tgmap::archive a(files.file("a.tgm", archive_of(3, 100)));
  const auto objects = objects_of(a);
  std::size_t calls = 0;
  const auto counts = [&](std::size_t, tgmap::tensor&&, const tgmap::failure&) { return ++calls != 0; };
  tgmap::failure why{.code = errc::read_past_end};
  BOOST_TEST(tgmap::decode_each(objects, counts, why).decoded == 3u);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(calls == 3u);
  const auto greedy = [](std::size_t, tgmap::tensor&&, const tgmap::failure&) -> bool { throw std::bad_alloc(); };
  BOOST_TEST(tgmap::decode_each(objects, greedy, {}, why).stopped);
  TGMAP_FAILED(why, errc::out_of_memory);
}

BOOST_AUTO_TEST_CASE(no_objects) {
  const auto done = tgmap::decode_each({}, nullptr);
  BOOST_TEST(done.decoded == 0u);
  BOOST_TEST(!done.stopped);
}

BOOST_AUTO_TEST_SUITE_END()
