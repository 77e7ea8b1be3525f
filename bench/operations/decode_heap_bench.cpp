// SPDX-License-Identifier: Apache-2.0
// Peak memory of a decode: the output, plus decompressed bytes if another stage follows.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>

#include "floors/huge_pages.hpp"
#include "operations/operations.hpp"
#include "support/fields.hpp"
#include "support/heap.hpp"
#include "support/process.hpp"

namespace tgmap_bench {

namespace {

constexpr std::size_t heap_elements = std::size_t{4} << 20;

void decode_and_drop(const tgmap::object& object) {
  const auto out = object.decode();
  benchmark::DoNotOptimize(out.bytes().data());
}

/// Returns a field of 64 MiB, the size of the memory that the library keeps for reuse.
const opened_objects& field_of_reused_size(const archives& files) {
  static const opened_objects field({encode({.packed = 8}, std::size_t{8} << 20)}, files, true);
  return field;
}

/// Returns the peak of bytes that a call touches in addition to those before. `before` makes libraries allocate what
/// they need once; its result is kept meanwhile. Runs in a child process and a new thread, so that no allocator has
/// memory for it and no buffer is reused.
double peak_of(const std::function<tgmap::tensor()>& before, const std::function<void()>& call) {
  return in_child([&] {
    ::malloc_trim(0);
    double peak = -1;
    std::thread([&] {
      try {
        const tgmap::tensor kept = before();
        start_peak();
        const auto start = static_cast<double>(resident_bytes());
        call();
        peak = std::max(0.0, static_cast<double>(peak_resident_bytes()) - start);
      } catch (const std::exception&) {  // a negative number reports it
      }
    }).join();
    return peak;
  });
}

double peak_of_decode(const opened_objects& in, const archives& files) {
  const tgmap::object all = field_of_reused_size(files)[0];
  return peak_of(
      [&] {
        decode_and_drop(in[0]);
        decode_and_drop(all);
        return all.decode();  // everything else has been freed
      },
      [&] { decode_and_drop(in[1]); });
}

/// Returns the peak memory of a decode by the codec's library alone, into fresh memory.
double peak_of_library(const pipeline& how, const opened_objects& in) {
  const auto call = [&](std::size_t j) {
    const huge_pages out(in[j].decoded_size());
    find_bare_codec(how.codec)->decoding({in[j].payload(), in.encoded()[j].decompressed}, how.sample())(out.bytes());
    benchmark::DoNotOptimize(out.bytes().data());
  };
  return peak_of(
      [&] {
        call(0);
        return tgmap::tensor();
      },
      [&] { call(1); });
}

/// Returns a row that compares the peak memory of a decode with the bytes that `allowed` returns.
row heap_row(const archives& files, const pipeline& how, std::string name, std::string value_name,
             std::function<double(const opened_objects&)> allowed) {
  return {.name = std::move(name) + how.name(),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const auto in = std::make_shared<const opened_objects>(
                    std::vector{encode(how, 40'000), encode(how, heap_elements)}, files, true);
                return contest{.units = static_cast<double>((*in)[1].decoded_size()) / mebibyte,
                               .operation = [=] { decode_and_drop((*in)[1]); },
                               .value = [=, &files] { return peak_of_decode(*in, files) / allowed(*in); }};
              },
          .rounds = 1,
          .value_name = std::move(value_name)};
}

row compare_with_output(const archives& files, const pipeline& how) {
  const bool two_stages = !how.codec.empty() && (how.packed != 0 || how.shuffled != 0);
  return heap_row(files, how, "decode_heap/", "× output and one buffer", [=](const opened_objects& in) {
    return static_cast<double>(in[1].decoded_size() + (two_stages ? in.encoded()[1].decompressed : 0));
  });
}

row compare_with_library(const archives& files, const pipeline& how) {
  return heap_row(files, how, "decode_heap_library/", "× the library's own",
                  [=](const opened_objects& in) { return peak_of_library(how, in); });
}

}  // namespace

void add_decode_heap_rows(std::vector<row>& rows, const archives& files) {
  for (const pipeline& how : {pipeline{.packed = 16},
                              {.dtype = "float32", .shuffled = 4},
                              {.packed = 24, .shuffled = 3},
                              {.packed = 16, .codec = "szip"},
                              {.dtype = "float32", .codec = "zstd"},
                              {.dtype = "float32", .shuffled = 4, .codec = "zstd"},
                              {.dtype = "float32", .shuffled = 4, .codec = "lz4"},
                              {.packed = 16, .codec = "blosc2"},
                              {.dtype = "float64", .codec = "zfp_rate"},
                              {.dtype = "float64", .codec = "sz3"}})
    if (how.codec.empty() || find_bare_codec(how.codec) != nullptr) rows.push_back(compare_with_output(files, how));
  for (const char* const codec : {"zfp_rate", "zfp_accuracy", "sz3"})
    if (find_bare_codec(codec) != nullptr)
      rows.push_back(compare_with_library(files, {.dtype = "float64", .codec = codec}));
}

}  // namespace tgmap_bench
