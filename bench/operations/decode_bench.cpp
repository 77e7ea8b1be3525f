// SPDX-License-Identifier: Apache-2.0
// Decodes whole fields on one thread: every encoding, filter and compression into given memory, and fields of 64 MiB
// into memory that the library allocates, which the system must clear each time.
#include <benchmark/benchmark.h>

#include <cstring>

#include "floors/huge_pages.hpp"
#include "operations/decode_floors.hpp"
#include "operations/operations.hpp"
#include "support/fields.hpp"

namespace tgmap_bench {

namespace {

/// Speed of the reference implementation in MB/s, for fields of 16 MiB.
struct measured_pipeline {
  pipeline how;
  double reference = 0;
};

const std::vector<measured_pipeline>& bare_pipelines() {
  static const std::vector<measured_pipeline> all{
      {{.packed = 8}, 5120},
      {{.packed = 12}, 2090},
      {{.packed = 16}, 4700},
      {{.packed = 24}, 3960},
      {{.packed = 5}},
      {{.packed = 17}},
      {{.packed = 31}},
      {{.packed = 40}},
      {{.dtype = "float32", .big_endian = true}},
      {{.dtype = "float64", .big_endian = true}},
      {{.dtype = "float32", .shuffled = 2}},
      {{.dtype = "float32", .shuffled = 4}},
      {{.dtype = "float64", .shuffled = 8}},
      {{.dtype = "float32", .shuffled = 4, .big_endian = true}},
      {{.packed = 16, .shuffled = 2}},
      {{.packed = 24, .shuffled = 3}},
  };
  return all;
}

const std::vector<measured_pipeline>& compressed_pipelines() {
  static const std::vector<measured_pipeline> all{
      {{.dtype = "float32", .codec = "szip"}, 497},
      {{.packed = 16, .codec = "szip"}, 830},
      {{.packed = 24, .codec = "szip"}, 716},
      {{.dtype = "float32", .shuffled = 4, .codec = "szip"}},
      {{.dtype = "float32", .codec = "zstd"}, 965},
      {{.packed = 16, .codec = "zstd"}, 1740},
      {{.dtype = "float32", .shuffled = 4, .codec = "zstd"}, 1126},
      {{.dtype = "float32", .codec = "lz4"}, 9360},
      {{.packed = 16, .codec = "lz4"}},
      {{.dtype = "float32", .shuffled = 4, .codec = "lz4"}, 1440},
      {{.dtype = "float32", .codec = "blosc2"}, 3990},
      {{.packed = 16, .codec = "blosc2"}, 3507},
      {{.dtype = "float32", .shuffled = 4, .codec = "blosc2"}},
      {{.dtype = "float64", .codec = "zfp_rate"}, 256},
      {{.dtype = "float64", .codec = "zfp_accuracy"}, 259},
      {{.dtype = "float64", .codec = "sz3"}, 852},
  };
  return all;
}

row whole(const archives& files, const measured_pipeline& of, bool in_memory) {
  return {.name = "decode/" + of.how.name() + (in_memory ? "/memory" : "/map"),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const std::size_t elements = usual_elements(files);
                const auto in =
                    std::make_shared<const opened_objects>(std::vector{encode(of.how, elements)}, files, in_memory);
                const auto out = make_octets((*in)[0].decoded_size());
                const auto floor = floor_of(of.how, in, 0, out, in_memory);
                return contest{.units = static_cast<double>(out->size()) / mebibyte,
                               .operation = [=] { (*in)[0].decode_into(std::span(*out)); },
                               .floors = {floor}};
              },
          .reference = of.reference == 0 ? 0 : at_speed(of.reference)};
}

/// Decodes from a mapped file, compared with the codec's library on the same bytes. The size does not depend on
/// --quick: a copy of the bytes must not fit into a cache.
row mapped(const archives& files, const pipeline& how, bool sealed) {
  return {.name = (sealed ? "decode_sealed/" : "decode_mapped/") + how.name(), .unit = "MiB", .prepare = [=, &files] {
            const std::vector field{encode(how, (std::size_t{16} << 20) / how.width())};
            const auto in = sealed ? std::make_shared<const opened_objects>(field, opened_objects::in_sealed_file())
                                   : std::make_shared<const opened_objects>(field, files, false);
            const auto out = make_octets((*in)[0].decoded_size());
            return contest{.units = static_cast<double>(out->size()) / mebibyte,
                           .operation = [=] { (*in)[0].decode_into(std::span(*out)); },
                           .floors = {floor_of(how, in, 0, out, true)}};
          }};
}

/// Returns true for codecs that decode more slowly than XXH3 hashes.
bool is_slower_than_hashing(const pipeline& how) {
  return how.codec == "szip" || how.codec == "zstd" || how.codec == "sz3" || how.codec.starts_with("zfp");
}

/// Decodes with `decode_options::verify`, compared with the same without it.
row verified(const archives& files, const pipeline& how, bool in_memory) {
  return {
      .name = "decode_verified/" + how.name() + (in_memory ? "/memory" : "/map"),
      .unit = "MiB",
      .prepare = [=, &files] {
        const auto in =
            std::make_shared<const opened_objects>(std::vector{encode(how, usual_elements(files))}, files, in_memory);
        expect((*in)[0].verify() == tgmap::hash_result::match, "the object has no hash");
        const auto out = make_octets((*in)[0].decoded_size());
        return contest{.units = static_cast<double>(out->size()) / mebibyte,
                       .operation = [=] { (*in)[0].decode_into(std::span(*out), {.verify = true}); },
                       .floors = {{.name = "without verify", .run = [=] { (*in)[0].decode_into(std::span(*out)); }}}};
      }};
}

row owning(const archives& files, const pipeline& how, double reference) {
  return {.name = "decode_owning/" + how.name(),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const std::size_t elements = (std::size_t{64} << 20) / (how.packed != 0 ? 8 : how.width());
                const auto in = std::make_shared<const opened_objects>(std::vector{encode(how, elements)}, files, true);
                const auto stored = (*in)[0].payload();
                const auto size = static_cast<std::size_t>((*in)[0].decoded_size());
                return contest{
                    .units = static_cast<double>(size) / mebibyte,
                    .operation =
                        [=] {
                          const auto out = (*in)[0].decode();
                          benchmark::DoNotOptimize(out.bytes().data());
                        },
                    .floors = {{.name = how.packed != 0 ? "huge pages, loop" : "huge pages, memcpy", .run = [=] {
                                  const huge_pages fresh(size);
                                  bare_finish(how, stored, fresh.bytes());
                                }}}};
              },
          .reference = at_speed(reference)};
}

}  // namespace

void add_decode_rows(std::vector<row>& rows, const archives& files) {
  for (const bool in_memory : {true, false})
    for (const auto& each : bare_pipelines()) rows.push_back(whole(files, each, in_memory));
  for (const auto& each : compressed_pipelines()) {
    if (find_bare_codec(each.how.codec) == nullptr) continue;
    rows.push_back(whole(files, each, true));
    if (is_slower_than_hashing(each.how))
      for (const bool in_memory : {true, false}) rows.push_back(verified(files, each.how, in_memory));
    if (each.how.codec != "lz4") continue;
    rows.push_back(whole(files, each, false));
    if (each.how.packed != 0) continue;
    for (const bool sealed : {false, true}) rows.push_back(mapped(files, each.how, sealed));
  }
}

void add_decode_owning_rows(std::vector<row>& rows, const archives& files) {
  rows.push_back(owning(files, {.dtype = "float32", .big_endian = true},
                        1059));  // the library does not swap it, so this is a copy
  rows.push_back(owning(files, {.packed = 16}, 492));
}

}  // namespace tgmap_bench
