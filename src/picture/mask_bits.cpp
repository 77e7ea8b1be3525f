// SPDX-License-Identifier: Apache-2.0
#include "picture/mask_bits.hpp"

#include <limits>
#include <optional>
#include <string_view>
#include <tgmap/error.hpp>

namespace tgmap::picture {

namespace {

[[noreturn]] void refuse(std::uint64_t expected, std::uint64_t found) {
  detail::raise({.code = errc::mask_range, .expected = expected, .found = found});
}

/// An unsigned LEB128 number at the start of `from`, which loses its bytes; nothing when it is cut or too large.
std::optional<std::uint64_t> leb128(std::span<const std::byte>& from) {
  std::uint64_t out = 0;
  for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(from.front());
    from = from.subspan(1);
    if (shift == 63 && byte > 1) return std::nullopt;
    out |= (byte & 0x7f) << shift;
    if (byte < 0x80) return out;
  }
  return std::nullopt;
}

void set(std::vector<std::byte>& bits, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t i = begin; i < end; ++i) {
    if (i % 8 == 0 && end - i >= 8) {
      bits[static_cast<std::size_t>(i / 8)] = std::byte{0xff};
      i += 7;
    } else {
      bits[static_cast<std::size_t>(i / 8)] |= std::byte{0x80} >> (i % 8);
    }
  }
}

/// Runs of equal bits, the first one's value before them (§6.2).
std::vector<std::byte> from_runs(std::span<const std::byte> runs, std::uint64_t elements) {
  std::vector<std::byte> out(static_cast<std::size_t>((elements + 7) / 8));
  std::uint64_t done = 0;
  if (runs.empty() != (elements == 0)) refuse(elements, done);
  if (runs.empty()) return out;
  bool value = runs.front() != std::byte{0};
  if (runs.front() > std::byte{1}) refuse(elements, done);
  for (runs = runs.subspan(1); !runs.empty(); value = !value) {
    const auto length = leb128(runs);
    if (!length || *length == 0 || *length > elements - done) refuse(elements, done);
    if (value) set(out, done, done + *length);
    done += *length;
  }
  if (done != elements) refuse(elements, done);
  return out;
}

}  // namespace

bool readable(const mask& m) noexcept { return m.method.view() == "none" || m.method.view() == "rle"; }

std::vector<std::byte> mask_bits(const mask& m, std::span<const std::byte> blob, std::uint64_t elements) {
  if (m.method.view() == "rle") return from_runs(blob, elements);
  const std::uint64_t wanted = elements / 8 + (elements % 8 != 0 ? 1 : 0);
  if (blob.size() != wanted) refuse(wanted, blob.size());
  return {blob.begin(), blob.end()};
}

void put_masked(std::span<const std::byte> bits, double what, std::uint64_t first, std::uint64_t stride,
                std::span<double> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t at = first + i * stride;
    if ((std::to_integer<unsigned>(bits[static_cast<std::size_t>(at / 8)]) >> (7 - at % 8) & 1) != 0) out[i] = what;
  }
}

double value_of(mask_kind kind) noexcept {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (kind) {
    case mask_kind::positive_infinity: return infinity;
    case mask_kind::negative_infinity: return -infinity;
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace tgmap::picture
