// SPDX-License-Identifier: Apache-2.0
// Memory that a decode takes at its height: the output, and what is decompressed where another stage follows.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <exception>
#include <thread>

#include "operations/operations.hpp"
#include "support/child.hpp"
#include "support/fields.hpp"
#include "support/heap.hpp"

namespace tgmap_bench {

namespace {

/// Memory touched by decode() beyond what was there, as a share of what it may take.
double share_taken_here(const opened_objects& in, std::size_t allowed) {
  const tgmap::tensor small = in[0].decode();  // what the libraries themselves take once
  start_peak();
  const auto before = static_cast<double>(resident_bytes());
  const tgmap::tensor large = in[1].decode();
  benchmark::DoNotOptimize(large.bytes().data());
  return std::max(0.0, static_cast<double>(peak_resident_bytes()) - before) / static_cast<double>(allowed);
}

/// The same in a child and a thread of its own: no allocator holds memory for it, and no buffer is used again.
double share_taken(const opened_objects& in, std::size_t allowed) {
  return in_child([&] {
    ::malloc_trim(0);
    double share = -1;
    std::thread([&] {
      try {
        share = share_taken_here(in, allowed);
      } catch (const std::exception&) {  // told by the number
      }
    }).join();
    return share;
  });
}

row heap(const archives& files, const pipeline& how) {
  return {.name = "decode_heap/" + how.name(),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                constexpr std::size_t elements = std::size_t{4} << 20;
                const auto in = std::make_shared<const opened_objects>(
                    std::vector{encode(how, 40'000), encode(how, elements)}, files, true);
                const auto out = static_cast<std::size_t>((*in)[1].decoded_size());
                const bool two_stages = !how.codec.empty() && (how.packed != 0 || how.shuffled != 0);
                const std::size_t allowed = out + (two_stages ? in->encoded()[1].decompressed : 0);
                return contest{.units = static_cast<double>(out) / mebibyte,
                               .operation =
                                   [=] {
                                     const auto out = (*in)[1].decode();
                                     benchmark::DoNotOptimize(out.bytes().data());
                                   },
                               .value = [=] { return share_taken(*in, allowed); }};
              },
          .rounds = 1,
          .value_name = "× output and one buffer"};
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
    if (how.codec.empty() || find_bare_codec(how.codec) != nullptr) rows.push_back(heap(files, how));
}

}  // namespace tgmap_bench
