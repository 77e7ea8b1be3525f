// SPDX-License-Identifier: Apache-2.0
// Decodes one element, and 1,000 adjacent ones, of fields of 16 MiB at unpredictable offsets.
#include <benchmark/benchmark.h>

#include <random>

#include "operations/decode_floors.hpp"
#include "operations/operations.hpp"
#include "support/page_cache.hpp"

namespace tgmap_bench {

namespace {

struct measured_part {
  pipeline how;
  std::size_t places;
  double reference = 0;  ///< nanoseconds for one element
};

std::size_t elements_of(const archives& files, const pipeline& how) {
  return (std::size_t{files.quick() ? 4U : 16U} << 20) / (how.packed != 0 ? 8 : how.width());
}

std::vector<std::size_t> places(std::size_t count, std::size_t below) {
  std::mt19937_64 random(42);
  std::vector<std::size_t> out(count);
  for (std::size_t& each : out) each = random() % below;
  return out;
}

std::string part_name(std::size_t count) { return count == 1 ? "one" : "row"; }

/// Calls the codec's library for the piece that contains each offset.
floor_loop floor_of_parts(const measured_part& of, const std::shared_ptr<const opened_objects>& in, std::size_t count,
                          const std::vector<std::size_t>& at) {
  const bare_codec& codec = *find_bare_codec(of.how.codec);
  const sample_kind sample = of.how.sample();
  const std::size_t decompressed = in->encoded()[0].decompressed;
  const auto calls = std::make_shared<std::vector<bare_call>>();
  for (const std::size_t each : at)
    calls->push_back(codec.part({(*in)[0].payload(), decompressed, in->encoded()[0].piece_bits}, sample,
                                each * sample.size, (each + count) * sample.size));
  const auto out = make_octets(std::size_t{1} << 21);
  return {.name = std::string(of.how.codec) + " over pieces", .run = [=, kept = in] {
            for (const bare_call& call : *calls) call(*out);
          }};
}

row part(const archives& files, const measured_part& of, std::size_t count, bool in_memory) {
  return {.name = "decode_part/" + of.how.name() + "/" + part_name(count) + (in_memory ? "/memory" : "/map"),
          .unit = "part",
          .prepare =
              [=, &files] {
                const std::size_t elements = elements_of(files, of.how);
                const auto in =
                    std::make_shared<const opened_objects>(std::vector{encode(of.how, elements)}, files, in_memory);
                const auto at = places(of.places, elements - count);
                const auto reader = std::make_shared<const tgmap::part_reader>((*in)[0]);
                const auto out = make_octets(count * (of.how.packed != 0 ? 8 : of.how.width()));
                contest rows{.units = static_cast<double>(at.size()), .operation = [=, kept = in] {
                               for (const std::size_t each : at) reader->range_into(each, count, *out);
                             }};
                if (!of.how.codec.empty()) rows.floors.push_back(floor_of_parts(of, in, count, at));
                return rows;
              },
          .reference = count == 1 ? of.reference : 0};
}

/// Returns the pages that one part reads from a cold file once the reader is open.
row pages(const archives& files, const pipeline& how, std::size_t count) {
  return {.name = "decode_part_pages/" + how.name() + "/" + part_name(count),
          .unit = "part",
          .prepare =
              [=, &files] {
                const auto path = files.directory() / "parts.tgm";
                const std::size_t elements = elements_of(files, how);
                write_archive(path, std::vector{encode(how, elements)});
                const auto out = make_octets(count * 8);
                const auto read = [=] {
                  make_cold(path);
                  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
                  const tgmap::part_reader reader(archive[0][0]);
                  const std::uint64_t before = resident_pages(path);
                  reader.range_into(elements / 2 + 17, count, *out);
                  return static_cast<double>(resident_pages(path) - before);
                };
                return contest{.operation = [=] { benchmark::DoNotOptimize(read()); }, .value = read};
              },
          .rounds = 3,
          .value_name = "pages read"};
}

row first_time(const archives& files, const pipeline& how) {
  return {.name = "decode_part_open/" + how.name(), .unit = "reader", .prepare = [=, &files] {
            constexpr std::size_t elements = std::size_t{4} << 20;  // 2,048 intervals
            const auto in = std::make_shared<const opened_objects>(std::vector{encode(how, elements)}, files, true);
            return contest{.units = 2000, .operation = [=, object = (*in)[0]] {
                             for (int i = 0; i < 2000; ++i) {
                               const tgmap::part_reader reader(object);
                               benchmark::DoNotOptimize(&reader);
                             }
                             static_cast<void>(in);
                           }};
          }};
}

}  // namespace

void add_decode_part_rows(std::vector<row>& rows, const archives& files) {
  const pipeline packed{.packed = 16};
  for (const measured_part& of : {measured_part{{.dtype = "float64"}, 1000, 6000},
                                  {{.dtype = "float32", .big_endian = true}, 1000},
                                  {packed, 1000, 7300},
                                  {{.packed = 13}, 1000},
                                  {{.packed = 16, .codec = "szip"}, 16, 104e3},
                                  {{.dtype = "float32", .codec = "szip"}, 16},
                                  {{.packed = 16, .codec = "blosc2"}, 100, 642e3},
                                  {{.dtype = "float32", .codec = "blosc2"}, 100},
                                  {{.dtype = "float64", .codec = "zfp_rate"}, 200, 62.6e6}})
    for (const bool in_memory : {true, false})
      if (of.how.codec.empty() || find_bare_codec(of.how.codec) != nullptr)
        for (const std::size_t count : {std::size_t{1}, std::size_t{1000}})
          rows.push_back(part(files, of, count, in_memory));
  for (const std::size_t count : {std::size_t{1}, std::size_t{1000}}) rows.push_back(pages(files, packed, count));
  if (find_bare_codec("szip") != nullptr) rows.push_back(first_time(files, {.packed = 16, .codec = "szip"}));
}

}  // namespace tgmap_bench
