// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <tgmap/write/szip_offsets.hpp>

#include "codec/failures.hpp"
#include "codec/szip/szip.hpp"
#include "codec/szip/szip_offsets.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

failure check_scan(const codec::szip_parameters& with, std::uint64_t bits) noexcept {
  if (with.sample_size == 0) return codec::bad_parameter(bits, "szip_bits");
  if ((with.flags & codec::szip_pad_rsi) != 0) return codec::bad_parameter(with.flags, "szip_flags");
  return codec::check_szip(with, 0);
}

}  // namespace

std::vector<std::uint64_t> find_szip_offsets(std::span<const std::byte> stream, std::uint64_t samples, unsigned bits,
                                             const szip_options& how, failure& why) noexcept try {
  codec::szip_parameters with{.rsi = how.rsi, .block_size = how.block_size, .flags = how.flags, .bits = bits};
  with.sample_size = codec::szip_sample_size(bits, with.flags);
  why = check_scan(with, bits);
  if (why || samples == 0) return {};
  const std::uint64_t interval = std::uint64_t{with.rsi} * with.block_size, count = (samples - 1) / interval + 1;
  // The shortest interval is one block of zeros: an identifier of a bit or more, a bit, and a code of a bit. This
  // limits the allocation.
  constexpr std::uint64_t shortest_interval = 3;
  if (count > std::uint64_t{stream.size()} * 8 / shortest_interval) {
    why = codec::codec_failed();
    return {};
  }
  std::vector<std::uint64_t> out(static_cast<std::size_t>(count));
  const auto last_blocks = static_cast<std::uint32_t>((samples - (count - 1) * interval - 1) / with.block_size + 1);
  if (!codec::find_szip_offsets(with, stream, out) ||
      !codec::last_interval_fits(with, stream, out.back(), last_blocks)) {
    why = codec::codec_failed();
    return {};
  }
  return out;
} catch (const std::bad_alloc&) {
  why = codec::no_memory();
  return {};
}

std::vector<std::uint64_t> find_szip_offsets(std::span<const std::byte> stream, std::uint64_t samples, unsigned bits,
                                             const szip_options& how) {
  failure why;
  auto out = find_szip_offsets(stream, samples, bits, how, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
