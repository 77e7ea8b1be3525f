// SPDX-License-Identifier: Apache-2.0
// Requests of a byte_source: joined, divided, held; what goes wrong in it; versions.
#include "io/byte_source_reader.hpp"

#include <condition_variable>
#include <stdexcept>
#include <support/counted_source.hpp>
#include <thread>

#include "patterned.hpp"

using namespace tgmap_test;
using tgmap::byte_request;
using tgmap::errc;
using tgmap::failure;
using tgmap::source_costs;
using tgmap::io::byte_source_reader;
using tgmap::io::read_cost;

BOOST_AUTO_TEST_SUITE(byte_source_reader_test)

namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

struct opened_source {
  std::shared_ptr<counted_source> source;
  std::unique_ptr<const byte_source_reader> reader;

  explicit opened_source(std::size_t size, const source_costs& costs = {}) : opened_source(patterned(size), costs) {}
  explicit opened_source(bytes data, const source_costs& costs = {})
      : source(std::make_shared<counted_source>(std::move(data), costs)) {
    failure why;
    reader = byte_source_reader::open(source, 0, why);
    TGMAP_SUCCEEDED(why);
    BOOST_REQUIRE(reader != nullptr);
  }
  ~opened_source() { BOOST_TEST(source->breach == ""); }

  failure read(std::uint64_t at, bytes& out) const {
    read_cost cost{};
    return reader->read(at, std::as_writable_bytes(std::span(out)), cost);
  }
  void check(std::uint64_t at, std::size_t size) const {
    bytes out(size, '?');
    TGMAP_SUCCEEDED(read(at, out));
    BOOST_REQUIRE((out == source->data.substr(at, size)));
  }
};

failure opening_failure(std::function<failure()> on_open) {
  const auto source = std::make_shared<counted_source>("bytes");
  source->on_open = std::move(on_open);
  failure why;
  BOOST_TEST((byte_source_reader::open(source, 0, why) == nullptr));
  return why;
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_range_with_any_costs) {
  for (const source_costs& costs : {source_costs{}, source_costs{.gap = 0}, source_costs{.gap = 0, .max_request = 1},
                                    source_costs{.gap = 100 * kib, .max_request = 10 * kib, .max_requests = 3},
                                    source_costs{.gap = UINT64_MAX, .max_request = UINT64_MAX, .max_requests = 1}}) {
    const opened_source in(3 * mib + 17, costs);
    BOOST_REQUIRE(in.reader->size() == 3 * mib + 17);
    std::mt19937 random(1);
    for (unsigned round = 0; round < 200; ++round) {
      const std::size_t at = random() % in.source->data.size(), most = round % 10 == 0 ? 2 * mib : 9 * kib;
      in.check(at, std::min<std::size_t>(random() % most, in.source->data.size() - at));
    }
    in.check(in.source->data.size(), 0);
    in.check(0, in.source->data.size());
  }
}

BOOST_AUTO_TEST_CASE(the_first_bytes_come_with_the_size) {
  const opened_source in(40 * kib);
  BOOST_TEST(in.source->opens == 1u);
  in.check(0, 4 * kib);
  in.check(12 * kib, 4 * kib);
  BOOST_TEST(in.source->calls == 0u);
  in.check(13 * kib, 4 * kib);
  BOOST_TEST(in.source->calls == 1u);
}

BOOST_AUTO_TEST_CASE(the_last_bytes_come_with_the_size_too) {
  for (const std::size_t size : {std::size_t{100}, std::size_t{100 * kib}}) {
    const auto source = std::make_shared<counted_source>(patterned(size));
    failure why;
    const auto reader = byte_source_reader::open(source, std::nullopt, why);
    TGMAP_SUCCEEDED(why);
    bytes out(80, '?');
    read_cost cost{};
    TGMAP_SUCCEEDED(reader->read(size - 80, std::as_writable_bytes(std::span(out)), cost));
    BOOST_TEST((out == source->data.substr(size - 80)));
    BOOST_TEST((cost == read_cost::in_memory));
    BOOST_TEST(source->calls == 0u);
  }
}

BOOST_AUTO_TEST_CASE(what_open_does_not_give_or_states_wrongly_is_read) {
  for (const std::size_t filled : {std::size_t{0}, std::size_t{60}, std::size_t{16 * kib + 1}, SIZE_MAX}) {
    class other final : public tgmap::byte_source {
     public:
      explicit other(std::size_t filled) : filled_(filled) {}
      failure open(std::span<tgmap::opening_request> first, tgmap::source_state& state) override {
        for (auto& each : first) each.filled = filled_;
        state.size = 50;
        return {};
      }
      failure read(std::span<const byte_request> wanted, const std::stop_token&) override {
        for (const auto& each : wanted) std::ranges::fill(each.out, std::byte{'x'});
        return {};
      }

     private:
      std::size_t filled_;
    };
    failure why;
    const auto reader = byte_source_reader::open(std::make_shared<other>(filled), 0, why);
    TGMAP_SUCCEEDED(why);
    bytes out(50, '?');
    read_cost cost{};
    TGMAP_SUCCEEDED(reader->read(0, std::as_writable_bytes(std::span(out)), cost));
    BOOST_TEST(out == bytes(50, 'x'));
  }
}

BOOST_AUTO_TEST_CASE(a_walk_in_small_steps_takes_few_requests) {
  const opened_source in(8 * mib);
  for (std::uint64_t at = 0; at < 8 * mib - 100; at += 10 * kib) in.check(at, 100);  // 820 reads
  // 16 KiB came with the size; then 32, 64, ... 1024 KiB, and 1 MiB each.
  BOOST_TEST(in.source->calls <= 14u);
  in.source->reset_counts();
  const opened_source back(8 * mib);
  for (std::uint64_t at = 8 * mib - 100; at > 10 * kib; at -= 10 * kib) back.check(at, 100);
  BOOST_TEST(back.source->calls <= 15u, "the same from the end, " << back.source->calls);
}

BOOST_AUTO_TEST_CASE(a_walk_in_large_steps_reads_little) {
  const opened_source in(64 * mib, {.gap = 256 * kib});
  for (std::uint64_t at = 0; at < 64 * mib; at += mib) in.check(at, 100);
  BOOST_TEST(in.source->calls == 63u);
  BOOST_TEST(in.source->bytes_asked() == 63 * byte_source_reader::first_extent);
}

BOOST_AUTO_TEST_CASE(a_large_read_is_divided_and_sent_at_once) {
  const opened_source in(10 * mib, {.max_request = mib, .max_requests = 4});
  in.check(100, 9 * mib + 5);
  BOOST_TEST(in.source->calls == 3u);
  BOOST_TEST(in.source->asked.size() == 10u);
  BOOST_TEST(in.source->bytes_asked() == 9 * mib + 5, "no byte more");
}

BOOST_AUTO_TEST_CASE(ranges_of_a_batch_are_joined_over_gaps) {
  const opened_source in(8 * mib, {.gap = 64 * kib, .max_request = mib, .max_requests = 2});
  // Two groups of ten objects each, 30 KiB apart; one range alone; one that is as large as three requests; one held.
  std::vector<std::pair<std::uint64_t, std::size_t>> places{{7 * mib, 500}, {100, 200}, {4 * mib, 2 * mib + 10}};
  for (std::uint64_t i = 0; i < 10; ++i) {
    places.emplace_back(mib + 900 - 1 + (9 - i) * 30 * kib, 700);
    places.emplace_back(2 * mib + i * 30 * kib, 700);
  }
  std::vector<bytes> out;
  for (const auto& [at, size] : places) out.emplace_back(size, '?');
  std::vector<byte_request> wanted;
  for (std::size_t i = 0; i < places.size(); ++i)
    wanted.push_back({places[i].first - 50, std::as_writable_bytes(std::span(out[i]))});
  TGMAP_SUCCEEDED(in.reader->read(wanted, 50));
  for (std::size_t i = 0; i < places.size(); ++i)
    BOOST_REQUIRE((out[i] == in.source->data.substr(places[i].first, places[i].second)));
  BOOST_TEST(in.source->asked.size() == 6u);  // two groups, the three parts, and the one alone
  BOOST_TEST(in.source->calls == 3u);
}

BOOST_AUTO_TEST_CASE(overlapping_ranges_of_a_batch) {
  const opened_source in(mib, {.gap = 0});
  std::array<bytes, 3> out{bytes(5000, '?'), bytes(5000, '?'), bytes(10, '?')};
  const std::array<byte_request, 3> wanted{byte_request{300000, std::as_writable_bytes(std::span(out[0]))},
                                           byte_request{302000, std::as_writable_bytes(std::span(out[1]))},
                                           byte_request{301000, std::as_writable_bytes(std::span(out[2]))}};
  TGMAP_SUCCEEDED(in.reader->read(wanted, 0));
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_TEST((out[i] == in.source->data.substr(wanted[i].offset, wanted[i].out.size())));
  BOOST_TEST(in.source->asked.size() == 1u);
}

BOOST_AUTO_TEST_CASE(failures_keep_their_codes_unless_these_mean_something_else) {
  const opened_source in(mib);
  const auto failing_with = [&](const failure& why) {
    in.source->on_read = [=](auto, auto&) { return why; };
    bytes out(10, '?');
    return in.read(600000, out);
  };
  TGMAP_FAILED(failing_with({.code = std::make_error_code(std::errc::timed_out)}),
               std::make_error_code(std::errc::timed_out));
  TGMAP_FAILED(failing_with({.code = errc::file_shrank}), errc::file_shrank);
  TGMAP_FAILED(failing_with({.code = errc::out_of_memory}), errc::out_of_memory);
  TGMAP_FAILED(failing_with({.code = errc::source_changed}), errc::source_changed);
  for (const errc code : {errc::out_of_range, errc::damaged, errc::no_metadata, errc::resident_limit})
    TGMAP_FAILED(failing_with({.code = code}), errc::source_failed);
  const failure placed = failing_with({.code = std::make_error_code(std::errc::timed_out), .offset = 7, .message = 3});
  BOOST_TEST(placed.offset == 600000u);
  BOOST_TEST(!placed.message);
  in.source->on_read = nullptr;
  in.check(600000, 10);
}

BOOST_AUTO_TEST_CASE(exceptions_become_failures) {
  struct strange {};
  const std::vector<std::pair<std::function<failure()>, std::error_code>> all{
      {[]() -> failure { throw std::runtime_error("no"); }, errc::source_failed},
      {[]() -> failure { throw strange(); }, errc::source_failed},
      {[]() -> failure { throw std::bad_alloc(); }, errc::out_of_memory},
      {[]() -> failure { throw std::system_error(std::make_error_code(std::errc::host_unreachable)); },
       std::make_error_code(std::errc::host_unreachable)},
      {[]() -> failure { throw std::system_error(std::error_code()); }, errc::source_failed},
      {[]() -> failure { throw tgmap::error(failure{.code = errc::out_of_range}); }, errc::source_failed},
      {[]() -> failure { throw tgmap::error(failure{.code = errc::file_shrank}); }, errc::file_shrank}};
  for (const auto& [thrower, code] : all) {
    TGMAP_FAILED(opening_failure(thrower), code);
    const opened_source in(mib);
    in.source->on_read = [throws = thrower](auto, auto&) { return throws(); };
    bytes small(10, '?'), large(900 * kib, '?');
    TGMAP_FAILED(in.read(600000, small), code);
    TGMAP_FAILED(in.read(0, large), code);
    const std::array wanted{byte_request{600000, std::as_writable_bytes(std::span(small))}};
    TGMAP_FAILED(in.reader->read(wanted, 0), code);
  }
}

BOOST_AUTO_TEST_CASE(a_size_beyond_all_files_is_refused) {
  for (const std::uint64_t size : {std::uint64_t{1} << 63, UINT64_MAX}) {
    const auto source = std::make_shared<counted_source>("bytes");
    source->stated_size = size;
    failure why;
    BOOST_TEST((byte_source_reader::open(source, 0, why) == nullptr));
    TGMAP_FAILED(why, errc::source_failed);
    BOOST_TEST(why.found == size);
  }
}

BOOST_AUTO_TEST_CASE(bytes_beside_the_wanted_ones_may_be_gone) {
  const opened_source in(mib);
  in.source->data.resize(500000);
  bytes out(1000, '?');
  in.source->stated_size = mib;
  TGMAP_SUCCEEDED(in.read(499000, out));
  TGMAP_FAILED(in.read(499001, out), errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(bytes_that_a_source_leaves_out_are_zeros) {
  const opened_source in(2 * mib);
  in.source->stated_size = 2 * mib;
  in.source->data.resize(1000);
  in.source->is_silent = true;
  for (const std::size_t size : {std::size_t{300}, std::size_t{mib}}) {
    bytes out(size, '?');
    TGMAP_SUCCEEDED(in.read(100 * kib, out));
    BOOST_TEST((out == bytes(size, '\0')));
  }
}

BOOST_AUTO_TEST_CASE(a_stop_request_ends_a_read_that_waits) {
  const opened_source in(mib);
  std::stop_source stop;
  in.source->on_read = [&](auto, const std::stop_token& token) -> failure {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait(lock, token, [] { return false; });
    return {.code = std::make_error_code(std::errc::timed_out)};
  };
  bytes out(10, '?');
  read_cost cost{};
  std::jthread stopper([&] {
    while (in.source->calls == 0) std::this_thread::yield();
    stop.request_stop();
  });
  TGMAP_FAILED(in.reader->read(600000, std::as_writable_bytes(std::span(out)), cost, stop.get_token()),
               std::make_error_code(std::errc::operation_canceled));
  TGMAP_FAILED(in.reader->read(600000, std::as_writable_bytes(std::span(out)), cost, stop.get_token()),
               std::make_error_code(std::errc::operation_canceled));
  BOOST_TEST(in.source->calls == 1u, "a read after a stop request sends nothing");
}

BOOST_AUTO_TEST_CASE(a_reader_of_an_older_version_reads_nothing_more) {
  const opened_source in(mib);
  const auto digest = in.reader->version_digest();
  BOOST_REQUIRE(digest.has_value());
  failure why;
  const auto same = in.reader->reopened(0, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(same->has_version_of(*in.reader));
  BOOST_TEST((same->version_digest() == digest));
  BOOST_TEST(!in.reader->is_replaced(why));
  in.check(600000, 10);

  in.source->replace(patterned(2 * mib, 2), "v2");
  const auto other = in.reader->reopened(0, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(!other->has_version_of(*in.reader));
  BOOST_TEST(other->size() == 2 * mib);
  BOOST_TEST((other->version_digest() != digest));
  bytes out(10, '?');
  in.source->reset_counts();
  TGMAP_FAILED(in.read(800000, out), errc::source_changed);
  BOOST_TEST(in.source->calls == 0u);
  TGMAP_FAILED(same->read(std::array{byte_request{800000, std::as_writable_bytes(std::span(out))}}, 0),
               errc::source_changed);
  BOOST_TEST(!in.reader->version_digest().has_value());
  read_cost cost{};
  TGMAP_SUCCEEDED(other->read(800000, std::as_writable_bytes(std::span(out)), cost));
  BOOST_TEST((out == in.source->data.substr(800000, 10)));
}

BOOST_AUTO_TEST_CASE(a_read_that_ends_while_the_source_is_opened_again_is_of_one_version) {
  const opened_source in(mib);
  const bytes before = in.source->data;
  std::atomic<bool> reading{false}, replaced{false};
  in.source->on_read = [&](auto, auto&) -> failure {
    reading = true;
    while (!replaced) std::this_thread::yield();  // the new bytes are answered, before open() has returned
    return {};
  };
  in.source->on_open = [&]() -> failure {
    in.source->replace(patterned(mib, 2), "v2");
    replaced = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return {};
  };
  failure reopening;
  std::jthread opener([&] {
    while (!reading) std::this_thread::yield();
    (void)in.reader->reopened(0, reopening);
  });
  bytes out(10, '?');
  TGMAP_FAILED(in.read(600000, out), errc::source_changed);
}

BOOST_AUTO_TEST_CASE(a_source_without_a_version_is_like_a_file) {
  const opened_source in(mib);
  in.source->version.clear();
  failure why;
  const auto reader = byte_source_reader::open(in.source, 0, why);
  BOOST_TEST(!reader->version_digest().has_value());
  in.source->data = patterned(mib, 2);
  const auto again = reader->reopened(0, why);
  TGMAP_SUCCEEDED(why);
  BOOST_TEST(again->has_version_of(*reader));
  bytes out(10, '?');
  read_cost cost{};
  TGMAP_SUCCEEDED(reader->read(600000, std::as_writable_bytes(std::span(out)), cost));
}

BOOST_AUTO_TEST_CASE(threads_read_the_same_bytes_once) {
  const opened_source in(16 * mib);
  in.source->on_read = [](auto, auto&) -> failure {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return {};
  };
  std::atomic<unsigned> wrong{0};
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      std::minstd_rand random(t / 4 + 1);  // four threads each read the same ranges
      for (unsigned round = 0; round < 40; ++round) {
        const std::size_t at = random() % (15 * mib);
        bytes out(1000, '?');
        read_cost cost{};
        if (in.reader->read(at, std::as_writable_bytes(std::span(out)), cost)) ++wrong;
        if (out != in.source->data.substr(at, 1000)) ++wrong;
      }
    });
  threads.clear();
  BOOST_TEST(wrong == 0u);
  BOOST_TEST(in.source->calls <= 200u, "80 ranges, read by 8 threads: " << in.source->calls);
}

BOOST_AUTO_TEST_CASE(hints_are_passed_on_unless_the_bytes_are_held) {
  const opened_source in(mib);
  in.reader->will_need(100, 1000);
  BOOST_TEST(in.source->hints == 0u);
  in.reader->will_need(600000, 1000);
  BOOST_TEST(in.source->hints == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
