// SPDX-License-Identifier: Apache-2.0
#include "constant/model/label_table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <tgmap/frame.hpp>

#include "constant/model/constant_access.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

constexpr std::uint64_t max_probes = 256;  // random hashes need far fewer in a table three quarters full

/// Fills the table. Returns false after an error, or if an entry needs too many probes.
bool fill_table(const tensor_constant& constant, lookup_table& out, failure& why) noexcept {
  const std::uint64_t size = table_size(constant.blocks());
  if (!out.entries.allocate_zeros(size * 8)) {
    why = {.code = tgmap::errc::out_of_memory};
    return false;
  }
  const std::size_t each = constant.type().mapped_count();
  std::array<std::string_view, max_rank> labels{};
  for (std::uint64_t block = 0; block < constant.blocks(); ++block) {
    for (std::size_t i = 0; i < each && !why; ++i) labels[i] = constant.label(block, i, why);
    if (why) return false;
    const std::uint64_t hash = hash_labels({labels.data(), each}, out.seed);
    std::uint64_t at = hash & (size - 1), probe = 0;
    while (load_number(out.entries.bytes(), at) != 0) {
      if (++probe > max_probes) return false;
      at = (at + 1) & (size - 1);
    }
    store_number(out.entries.data(), at, table_entry(hash, block));
  }
  return true;
}

}  // namespace

lookup_table make_lookup_table(const tensor_constant& constant, failure& why) noexcept {
  why = {};
  lookup_table out;
  if (constant.blocks() > max_blocks) {
    why = {.code = errc::too_large, .expected = max_blocks, .found = constant.blocks()};
    return out;
  }
  out.seed = xxh3(constant_access::text(constant));
  // Repeated labels collide with every seed.
  for (int tries = 0; !fill_table(constant, out, why); ++out.seed)
    if (why || ++tries == 16) {
      if (!why) why = {.code = errc::bad_constant, .expected = max_probes};
      return out;
    }
  return out;
}

std::uint64_t hash_labels(std::span<const std::string_view> labels, std::uint64_t seed) noexcept {
  for (const std::string_view each : labels) seed = XXH3_64bits_withSeed(each.data(), each.size(), seed);
  return seed;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
