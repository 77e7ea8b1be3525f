// SPDX-License-Identifier: Apache-2.0
// Fields of 64 MiB into memory of their own, mapped afresh each time: the system clears what nobody has used.
#include <benchmark/benchmark.h>

#include "floors/huge_pages.hpp"
#include "operations/operations.hpp"
#include "support/fields.hpp"

namespace tgmap_bench {

namespace {

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

void add_decode_owning_rows(std::vector<row>& rows, const archives& files) {
  rows.push_back(owning(files, {.dtype = "float32", .big_endian = true}, 1059));  // not changed there: it is copied
  rows.push_back(owning(files, {.packed = 16}, 492));
}

}  // namespace tgmap_bench
