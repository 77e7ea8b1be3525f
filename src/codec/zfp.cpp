// SPDX-License-Identifier: Apache-2.0
// zfp (§7.8): one dimension of doubles without zfp's own header; the descriptor tells what it would.
#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/zfp_library.hpp"
#include "codec/zfp_stream.hpp"

namespace tgmap::codec {

namespace {

failure decompress_zfp(const stored_bytes& from, const zfp_parameters& with, std::span<std::byte> out) noexcept {
  if (out.empty()) return from.size() == 0 ? failure{} : decoded_size(0, sizeof(double));
  if (out.size() % sizeof(double) != 0) return bad_combination();
  if (from.size() == 0) return decoded_size(out.size(), 0);
  const zfp_owner<zfp_stream> stream(zfp().zfp_stream_open(nullptr));
  const zfp_owner<zfp_field> field(zfp().zfp_field_1d(nullptr, zfp_type_double, out.size() / sizeof(double)));
  if (!stream || !field) return no_memory();
  if (auto why = set_zfp_mode(*stream, with)) return why;
  if (from.size() > zfp().zfp_stream_maximum_size(stream.get(), field.get()))
    return decoded_size(out.size(), std::uint64_t{out.size()} + 1);
  if (with.mode == zfp_method::fixed_rate)
    if (auto why = check_zfp_rate(*stream, from.size(), out.size())) return why;

  std::uint64_t consumed = 0;
  if (auto why = decode_zfp_blocks(*stream, {from, 0, from.size()}, out, consumed)) return why;
  // zfp writes whole words. Where it read more than was there, it decoded zeros that nobody stored.
  // Of a fixed rate it is known beforehand what must be there.
  const bool beyond = with.mode != zfp_method::fixed_rate && consumed > from.size();
  return beyond ? codec_failed() : failure{};
}

}  // namespace

failure run_zfp(const stored& from, std::span<std::byte> out) noexcept {
  return decompress_zfp(bytes_in_memory(from.bytes), from.parameters.zfp, out);
}

failure run_zfp_in_steps(const stored_bytes& from, const codec_parameters& with, part_buffers&,
                         std::span<std::byte> out) noexcept {
  return decompress_zfp(from, with.zfp, out);
}

bool has_zfp() noexcept { return zfp_library::get() != nullptr; }

std::string_view zfp_version() noexcept {
  // "zfp version 1.0.0 (August 1, 2022)"
  constexpr std::string_view before = "zfp version ";
  std::string_view text = *zfp().zfp_version_string;
  if (text.starts_with(before)) text.remove_prefix(before.size());
  return text.substr(0, text.find(' '));
}

}  // namespace tgmap::codec
