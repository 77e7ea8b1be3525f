// SPDX-License-Identifier: Apache-2.0
// Named operations of the access path, each with its floor beside it: the least that any reader must do.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <tgmap/tgmap.hpp>
#include <vector>

#include "support/bench_archive.hpp"

namespace {

using tgmap_bench::bench_archive;
using maker = const bench_archive& (*)();

void open_archive(benchmark::State& state, maker of) {
  const auto& path = of().path();
  for (auto _ : state) benchmark::DoNotOptimize(tgmap::archive(path));
}

void scan(benchmark::State& state, maker of, tgmap::io_mode mode) {
  const auto& made = of();
  for (auto _ : state) benchmark::DoNotOptimize(tgmap::archive(made.path(), {.io = mode}).size());
  state.counters["messages/s"] =
      benchmark::Counter(static_cast<double>(made.plan().messages), benchmark::Counter::kIsIterationInvariantRate);
}

/// The floor of a scan: hop from preamble to preamble over stated lengths, and store (offset, length).
void scan_floor(benchmark::State& state, maker of) {
  const auto& made = of();
  for (auto _ : state) {
    const tgmap::archive data(made.path());
    const std::byte* bytes = data[0].bytes().data();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> table;
    for (std::uint64_t at = 0; at < data.bytes();) {
      std::uint64_t length = 0;
      std::memcpy(&length, bytes + at + 16, sizeof length);
      length = __builtin_bswap64(length);
      table.emplace_back(at, length);
      at += length;
    }
    benchmark::DoNotOptimize(table.data());
  }
  state.counters["messages/s"] =
      benchmark::Counter(static_cast<double>(made.plan().messages), benchmark::Counter::kIsIterationInvariantRate);
}

void last_message(benchmark::State& state, maker of) {
  const auto& path = of().path();
  for (auto _ : state) {
    const tgmap::archive data(path);
    benchmark::DoNotOptimize(data.back());
  }
}

void object_payload(benchmark::State& state, maker of) {
  const tgmap::archive data(of().path());
  const std::size_t messages = data.size();
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(data[i][0].payload().data());
    i = (i + 7919) % messages;  // a prime step: no order that a prefetcher knows
  }
}

/// The floor of reaching an object: a span that is known already.
void object_payload_floor(benchmark::State& state, maker of) {
  const tgmap::archive data(of().path());
  std::vector<std::span<const std::byte>> known;
  for (const tgmap::message& message : data) known.push_back(message[0].payload());
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(known[i].data()[0]);
    i = (i + 7919) % known.size();
  }
}

void typed_view(benchmark::State& state, maker of) {
  const tgmap::archive data(of().path());
  const tgmap::object object = data[0][0];
  for (auto _ : state) benchmark::DoNotOptimize(object.view<float>().data());
}

void metadata_key(benchmark::State& state, maker of) {
  const tgmap::archive data(of().path());
  const tgmap::object object = data[0][0];
  for (auto _ : state) benchmark::DoNotOptimize(object.metadata().find("mars.param"));
}

void verify(benchmark::State& state, maker of) {
  const tgmap::archive data(of().path());
  const tgmap::object object = data[0][0];
  for (auto _ : state) benchmark::DoNotOptimize(object.verify());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(object.payload_size()));
}

BENCHMARK_CAPTURE(open_archive, large, tgmap_bench::large_messages)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scan_floor, small, tgmap_bench::small_messages)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scan, small_mapped, tgmap_bench::small_messages, tgmap::io_mode::map)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scan, small_read, tgmap_bench::small_messages, tgmap::io_mode::read)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scan_floor, large, tgmap_bench::large_messages)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scan, large_mapped, tgmap_bench::large_messages, tgmap::io_mode::map)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scan, streamed, tgmap_bench::streamed_messages, tgmap::io_mode::map)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(last_message, large, tgmap_bench::large_messages)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(object_payload_floor, small, tgmap_bench::small_messages);
BENCHMARK_CAPTURE(object_payload, small, tgmap_bench::small_messages);
BENCHMARK_CAPTURE(object_payload, streamed, tgmap_bench::streamed_messages);
BENCHMARK_CAPTURE(typed_view, large, tgmap_bench::large_messages);
BENCHMARK_CAPTURE(metadata_key, large, tgmap_bench::large_messages);
BENCHMARK_CAPTURE(verify, large, tgmap_bench::large_messages);

}  // namespace
