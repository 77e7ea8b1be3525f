// SPDX-License-Identifier: Apache-2.0
// Decodes on two threads, compared with one: many objects at once, and one large object.
#include <benchmark/benchmark.h>

#include "operations/decode_floors.hpp"
#include "operations/operations.hpp"

namespace tgmap_bench {

namespace {

std::shared_ptr<tgmap::executor> two_threads() {
  static const std::shared_ptr<tgmap::executor> all = tgmap::make_executor(2);
  return all;
}

row many(const archives& files, const pipeline& how, std::size_t count, std::size_t elements, const char* size) {
  return {.name = std::string("decode_many/") + size + "/" + how.name(),
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const auto in =
                    std::make_shared<const opened_objects>(std::vector(count, encode(how, elements)), files, true);
                const auto objects = std::make_shared<std::vector<tgmap::object>>();
                for (std::size_t j = 0; j < count; ++j) objects->push_back((*in)[j]);
                const auto each = static_cast<std::size_t>(objects->front().decoded_size());
                const auto memory = make_octets(each * count);
                const auto out = std::make_shared<std::vector<std::span<std::byte>>>();
                for (std::size_t j = 0; j < count; ++j) out->push_back(std::span(*memory).subspan(j * each, each));
                return contest{.units = static_cast<double>(memory->size()) / mebibyte,
                               .operation =
                                   [=, on = two_threads(), kept = std::pair(in, memory)] {
                                     tgmap::decode_many(*objects, *out, {.decode = {.executor = on.get()}});
                                   },
                               .floors = {{.name = "one by one", .run = [=, kept = std::pair(in, memory)] {
                                             for (std::size_t j = 0; j < objects->size(); ++j)
                                               (*objects)[j].decode_into((*out)[j]);
                                           }}}};
              },
          .rounds = 7};
}

row large(const archives& files, const pipeline& how) {
  return {
      .name = "decode_large/" + how.name(),
      .unit = "MiB",
      .prepare =
          [=, &files] {
            const std::size_t elements =
                (std::size_t{files.quick() ? 16U : 64U} << 20) / (how.packed != 0 ? 8 : how.width());
            const auto in = std::make_shared<const opened_objects>(std::vector{encode(how, elements)}, files, true);
            const auto out = make_octets((*in)[0].decoded_size());
            return contest{
                .units = static_cast<double>(out->size()) / mebibyte,
                .operation = [=, on = two_threads()] { (*in)[0].decode_into(std::span(*out), {.executor = on.get()}); },
                .floors = {{.name = "one thread", .run = [=] { (*in)[0].decode_into(std::span(*out)); }}}};
          },
      .rounds = 7};
}

/// The same into memory that the library allocates.
row large_owning(const archives& files, const pipeline& how) {
  return {.name = "decode_large/" + how.name() + "/owning",
          .unit = "MiB",
          .prepare =
              [=, &files] {
                const std::size_t elements =
                    (std::size_t{files.quick() ? 16U : 64U} << 20) / (how.packed != 0 ? 8 : how.width());
                const auto in = std::make_shared<const opened_objects>(std::vector{encode(how, elements)}, files, true);
                const auto decode = [=](tgmap::executor* on) {
                  const auto out = (*in)[0].decode({.executor = on});
                  benchmark::DoNotOptimize(out.bytes().data());
                };
                return contest{.units = static_cast<double>((*in)[0].decoded_size()) / mebibyte,
                               .operation = [=, on = two_threads()] { decode(on.get()); },
                               .floors = {{.name = "one thread", .run = [=] { decode(nullptr); }}}};
              },
          .rounds = 7};
}

}  // namespace

void add_decode_threads_rows(std::vector<row>& rows, const archives& files) {
  const std::size_t fields = files.quick() ? 16 : 64;
  for (const pipeline& how : {pipeline{.packed = 16}, {.packed = 16, .codec = "szip"}, {.codec = "zstd"}}) {
    if (!how.codec.empty() && find_bare_codec(how.codec) == nullptr) continue;
    rows.push_back(many(files, how, fields, std::size_t{128} << 10, "1MiB"));
    rows.push_back(many(files, how, 40 * fields, 1000, "8KB"));
  }
  for (const pipeline& how : {pipeline{.packed = 16},
                              {.packed = 16, .codec = "szip"},
                              {.packed = 24, .codec = "szip"},
                              {.codec = "szip"},
                              {.codec = "blosc2"},
                              {.dtype = "float64", .codec = "zfp_rate"}})
    if (how.codec.empty() || find_bare_codec(how.codec) != nullptr) {
      rows.push_back(large(files, how));
      rows.push_back(large_owning(files, how));
    }
}

}  // namespace tgmap_bench
