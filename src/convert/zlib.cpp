// SPDX-License-Identifier: Apache-2.0
#include "convert/zlib.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace tgmap::convert {

namespace {

/// Returns the size of the next piece: zlib counts in 32 bits.
uInt piece_size(std::size_t size) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

const Bytef* zlib_bytes(std::span<const std::byte> bytes) noexcept {
  return reinterpret_cast<const Bytef*>(bytes.data());
}

/// An `inflater` decompresses a deflate stream without a header.
class inflater {
 public:
  inflater() {
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~inflater() { ::inflateEnd(&stream_); }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;

  /// Decompresses from `packed` into `out` and removes from both the part that was used. Returns Z_OK if the stream
  /// continues.
  int run(std::span<const std::byte>& packed, std::span<std::byte>& out) noexcept {
    stream_.next_in = const_cast<Bytef*>(zlib_bytes(packed));  // zlib does not write there
    stream_.avail_in = piece_size(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = piece_size(out.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    packed = packed.subspan(piece_size(packed.size()) - stream_.avail_in);
    out = out.subspan(piece_size(out.size()) - stream_.avail_out);
    return status;
  }

 private:
  z_stream stream_{};
};

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t previous) noexcept {
  if (bytes.empty()) return previous;  // zlib takes a null pointer for a request of the initial value
  return static_cast<std::uint32_t>(::crc32_z(previous, zlib_bytes(bytes), bytes.size()));
}

bool can_inflate_to(std::uint64_t packed, std::uint64_t size) noexcept {
  constexpr std::uint64_t max_ratio = 1032;  // 2 bits can stand for 258 bytes
  return size / max_ratio <= packed;
}

bool inflate(std::span<const std::byte> packed, std::span<std::byte> out) {
  inflater stream;
  std::byte surplus_byte{};
  std::span<std::byte> surplus(&surplus_byte, 1);  // detects output beyond the end of `out`
  for (;;) {
    const int status = stream.run(packed, out.empty() ? surplus : out);
    if (status == Z_STREAM_END) return out.empty() && surplus.size() == 1;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK || surplus.empty()) return false;  // damaged, truncated or too long
  }
}

}  // namespace tgmap::convert
