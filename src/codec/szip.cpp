// SPDX-License-Identifier: Apache-2.0
// szip: CCSDS 121 by libaec (§7.4). The stream has no header, no size and no end.

#include <cstring>
#include <memory>
#include <new>

#include "codec/aec_library.hpp"
#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/szip_flags.hpp"
#include "codec/szip_stream.hpp"

namespace tgmap::codec {

namespace {

/// libaec loses its place between padded intervals, for nearly all streams that it wrote itself: what comes out is as
/// long as it should be, and wrong. It is right when it encodes to the stored bytes again.
failure check_padded(const stored& from, std::span<const std::byte> out) noexcept {
  const std::size_t room = from.bytes.size() + 1;  // so that a longer stream shows
  const std::unique_ptr<unsigned char[]> again(new (std::nothrow) unsigned char[room]);
  aec_stream stream{};
  set_szip_parameters(stream, from.parameters.szip);
  if (!again || aec().aec_encode_init(&stream) != AEC_OK) return no_memory(room);
  stream.next_in = reinterpret_cast<const unsigned char*>(out.data());
  stream.avail_in = out.size();
  stream.next_out = again.get();
  stream.avail_out = room;
  const int status = aec().aec_encode(&stream, AEC_FLUSH);
  const std::size_t size = room - stream.avail_out;
  aec().aec_encode_end(&stream);
  const bool same =
      status == AEC_OK && size == from.bytes.size() && std::memcmp(again.get(), from.bytes.data(), size) == 0;
  return same ? failure{} : codec_failed();
}

}  // namespace

failure run_szip(const stored& from, std::span<std::byte> out) noexcept {
  const auto& with = from.parameters.szip;
  // Nothing was ever encoded of nothing, so that parameters do not matter: files exist with those of a bit mask.
  if (out.empty()) return from.bytes.empty() ? failure{} : decoded_size(0, 1);
  if (auto why = check_szip(with, out.size())) return why;

  if (auto why = decode_szip(with, from.bytes, out)) return why;
  const bool padded = (with.flags & szip_pad_rsi) && out.size() > szip_interval(with);
  return padded ? check_padded(from, out) : failure{};
}

bool has_szip() noexcept { return aec_library::get() != nullptr; }

std::string_view szip_version() noexcept {
#ifdef AEC_VERSION_STR
  return AEC_VERSION_STR;
#else
  return "before 1.1";  // releases that do not tell
#endif
}

}  // namespace tgmap::codec
