// SPDX-License-Identifier: Apache-2.0
#include "convert/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace tgmap::convert {

namespace {

/// zlib counts in 32 bits, so that larger spans go in pieces.
uInt piece_of(std::size_t size) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

/// A stream of deflate without a header.
class inflater {
 public:
  inflater() {
    if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~inflater() { ::inflateEnd(&stream_); }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;

  /// Goes on from `packed` into `out`, and takes off both what it used. Z_OK while there is more to come.
  int run(std::span<const std::byte>& packed, std::span<std::byte>& out) noexcept {
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));  // zlib does not write there
    stream_.avail_in = piece_of(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = piece_of(out.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    packed = packed.subspan(piece_of(packed.size()) - stream_.avail_in);
    out = out.subspan(piece_of(out.size()) - stream_.avail_out);
    return status;
  }

 private:
  z_stream stream_{};
};

}  // namespace

bool can_inflate_to(std::uint64_t packed, std::uint64_t size) noexcept {
  constexpr std::uint64_t most = 1032;  // bytes out of one: 258 by two bits
  return size / most <= packed;
}

bool inflate(std::span<const std::byte> packed, std::span<std::byte> out) {
  inflater stream;
  std::byte beyond{};
  std::span<std::byte> one_more(&beyond, 1);  // for what must not come
  for (;;) {
    const int status = stream.run(packed, out.empty() ? one_more : out);
    if (status == Z_STREAM_END) return out.empty() && one_more.size() == 1;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK || one_more.empty()) return false;  // damaged, cut off, or too much
  }
}

}  // namespace tgmap::convert
