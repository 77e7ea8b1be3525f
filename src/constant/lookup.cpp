// SPDX-License-Identifier: Apache-2.0
#include "constant/lookup.hpp"

#include <array>
#include <tgmap/frame.hpp>

#include "constant/constant_access.hpp"
#include "constant/label_table.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

namespace {

constexpr std::uint64_t longest_probe = 256;  // three quarters full, by chance, is far from it

/// Whether no label had to be put further away than that.
bool fill(const tensor_constant& from, lookup& out, failure& why) noexcept {
  const std::uint64_t size = table_size(from.blocks());
  if (!out.table.zeros(size * 8)) {
    why = {.code = tgmap::errc::out_of_memory};
    return false;
  }
  const std::size_t each = from.type().mapped_count();
  std::array<std::string_view, max_rank> labels{};
  for (std::uint64_t block = 0; block < from.blocks(); ++block) {
    for (std::size_t i = 0; i < each && !why; ++i) labels[i] = from.label(block, i, why);
    if (why) return false;
    const std::uint64_t hash = hash_of({labels.data(), each}, out.seed);
    std::uint64_t at = hash & (size - 1), probe = 0;
    while (load_number(out.table.bytes(), at) != 0) {
      if (++probe > longest_probe) return false;
      at = (at + 1) & (size - 1);
    }
    store_number(out.table.data(), at, table_entry(hash, block));
  }
  return true;
}

}  // namespace

lookup make_lookup(const tensor_constant& from, failure& why) noexcept {
  why = {};
  lookup out;
  if (from.blocks() > most_blocks) {
    why = {.code = errc::too_large, .expected = most_blocks, .found = from.blocks()};
    return out;
  }
  out.seed = xxh3(constant_access::text(from));
  // Labels that are there many times meet with every seed.
  for (int tries = 0; !fill(from, out, why); ++out.seed)
    if (why || ++tries == 16) {
      if (!why) why = {.code = errc::bad_constant, .expected = longest_probe};
      return out;
    }
  return out;
}

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
