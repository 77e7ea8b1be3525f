// SPDX-License-Identifier: Apache-2.0
#include "write/check_options.hpp"

#include <bit>

#include "write/frame_bytes.hpp"

namespace tgmap::write {

namespace {

constexpr std::uint64_t most_alignment = 4096;

}  // namespace

failure check_options(const write_options& what) noexcept {
  if (what.version != 2 && what.version != 3)
    return {.code = errc::invalid_option,
            .expected = 3,
            .found = static_cast<std::uint64_t>(what.version),
            .argument = "write_options::version"};
  const std::uint64_t alignment = what.payload_alignment;
  if (!std::has_single_bit(alignment) || alignment < least_alignment || alignment > most_alignment)
    return {.code = errc::invalid_option,
            .expected = most_alignment,
            .found = alignment,
            .argument = "write_options::payload_alignment"};
  return {};
}

}  // namespace tgmap::write
