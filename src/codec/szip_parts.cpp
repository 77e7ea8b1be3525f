// SPDX-License-Identifier: Apache-2.0
// Parts of a szip stream (§7.4): each reference interval stands by itself, and the descriptor may tell at which bit it
// begins.
#include <algorithm>
#include <array>
#include <new>
#include <vector>

#include "cbor/index_frame.hpp"
#include "cbor/look.hpp"
#include "codec/failures.hpp"
#include "codec/libraries.hpp"
#include "codec/szip_flags.hpp"
#include "codec/szip_stream.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// Moves a stream to the left by less than a byte, so that it begins at one. What lies behind it counts as zeros.
void shift_left(std::span<std::byte> bytes, unsigned by) noexcept {
  if (by == 0) return;
  std::size_t at = 0;
  for (; wire::fits(at, 9, bytes.size()); at += 8) {
    const auto word = wire::load_be<std::uint64_t>(bytes, at);
    const auto next = std::to_integer<std::uint64_t>(bytes[at + 8]);
    wire::store_be(bytes.data() + at, word << by | next >> (8 - by));
  }
  for (; at < bytes.size(); ++at) {
    const unsigned next = at + 1 < bytes.size() ? std::to_integer<unsigned>(bytes[at + 1]) : 0;
    bytes[at] = static_cast<std::byte>(std::to_integer<unsigned>(bytes[at]) << by | next >> (8 - by));
  }
}

/// Bytes of the first block of an interval that is compared; of large blocks, a part.
constexpr std::size_t most_block = 64;

class szip_parts final : public partial_decompressor {
 public:
  szip_parts(const szip_parameters& with, std::uint64_t size, std::uint64_t stored, std::vector<std::uint64_t> offsets)
      : with_(with), size_(size), stored_(stored), interval_(szip_interval(with)), offsets_(std::move(offsets)) {}

  extent around(extent wanted) const noexcept override {
    const std::uint64_t end = (wanted.end + interval_ - 1) / interval_ * interval_;
    return {wanted.begin / interval_ * interval_, std::min(end, size_)};
  }

  std::uint64_t cost(extent pieces) const noexcept override {
    const std::size_t last = last_of(pieces);
    const std::uint64_t end = end_byte(last), own = end - offsets_[first_of(pieces)] / 8;
    if (compared_behind(last) == 0) return own;
    const std::uint64_t next = offsets_[last + 1] / 8;
    return own + std::min(most_of_block(), stored_ - end) + std::min(most_of_block(), stored_ - next);
  }

  failure read(extent pieces, const stored_bytes& from, part_buffers& tools,
               std::span<std::byte> out) const noexcept override {
    // libaec loses its place between padded intervals: it is given one at a time.
    const bool padded = (with_.flags & szip_pad_rsi) != 0;
    const std::size_t last = last_of(pieces), together = padded ? 1 : last + 1 - first_of(pieces);
    for (std::size_t first = first_of(pieces); first <= last; first += together) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(together * interval_, out.size()));
      if (failure why = run(first, first + together - 1, from, tools, out.first(size))) return why;
      out = out.subspan(size);
    }
    return {};
  }

 private:
  std::size_t first_of(extent pieces) const noexcept { return static_cast<std::size_t>(pieces.begin / interval_); }
  std::size_t last_of(extent pieces) const noexcept { return static_cast<std::size_t>((pieces.end - 1) / interval_); }
  /// Stored bytes that one block may take: all samples as they are, and what tells so.
  std::uint64_t most_of_block() const noexcept { return with_.block_size * with_.sample_size + 16; }
  std::uint64_t one_block() const noexcept {
    const std::uint64_t block = std::min<std::uint64_t>(with_.block_size, most_block / with_.sample_size);
    return block * with_.sample_size;
  }
  std::uint64_t end_byte(std::size_t interval) const noexcept {
    return interval + 1 < offsets_.size() ? (offsets_[interval + 1] + 7) / 8 : stored_;
  }

  /// So many stored bytes, as far as they are there, from the first bit of an interval on, which is moved to the first
  /// bit of a byte.
  std::span<const std::byte> stream_from(std::size_t interval, std::uint64_t bytes, const stored_bytes& from,
                                         core::scratch& memory, failure& why) const noexcept {
    const std::uint64_t begin = offsets_[interval] / 8;
    const auto stream = memory.take(std::min(bytes, stored_ - begin), why);
    if (!why) why = from.read(begin, stream);
    if (!why) shift_left(stream, static_cast<unsigned>(offsets_[interval] % 8));
    return stream;
  }

  /// Bytes behind a run of intervals that are compared with what begins at the next one; 0: there is none, or libaec
  /// would lose its place between the two.
  std::size_t compared_behind(std::size_t last) const noexcept {
    const bool padded = (with_.flags & szip_pad_rsi) != 0, at_end = last + 1 == offsets_.size();
    if (padded || at_end) return 0;
    return static_cast<std::size_t>(std::min(one_block(), size_ - (last + 1) * interval_));
  }

  failure run(std::size_t first, std::size_t last, const stored_bytes& from, part_buffers& tools,
              std::span<std::byte> out) const noexcept {
    failure why;
    const std::size_t check = compared_behind(last);
    const std::uint64_t own = end_byte(last) - offsets_[first] / 8;
    const auto stream = stream_from(first, check == 0 ? own : own + most_of_block(), from, tools.stored, why);
    std::array<std::byte, most_block> here, there;
    const auto follows = std::span(here).first(check), begins = std::span(there).first(check);
    if (!why) why = decode_szip(with_, stream, out, follows);
    if (why || check == 0) return why;
    // Nothing else tells whether the places are right: what follows must be what begins at the next one.
    const auto next = stream_from(last + 1, most_of_block(), from, tools.stored, why);
    if (!why) why = decode_szip(with_, next, begins);
    return why || std::ranges::equal(follows, begins) ? why : codec_failed();
  }

  szip_parameters with_;
  std::uint64_t size_, stored_, interval_;
  std::vector<std::uint64_t> offsets_;  ///< in bits, one an interval, ascending, within the stored bytes
};

/// As many as there are intervals, the first one 0, each behind the one before, all of them inside the stream. Read in
/// one go, for there are thousands.
bool read_offsets(const value& list, std::uint64_t bits, std::span<std::uint64_t> out, std::size_t& sound) noexcept {
  return cbor::looked(false, [&]() noexcept {
    cbor::integers offsets(list.tail());
    for (sound = 0; sound < out.size(); ++sound) {
      std::uint64_t& now = out[sound];
      if (!offsets.next(now) || now >= bits) return false;
      if (sound == 0 ? now != 0 : now <= out[sound - 1]) return false;
    }
    std::uint64_t more;
    return !offsets.next(more) && !offsets.bad();
  });
}

}  // namespace

std::unique_ptr<const partial_decompressor> open_szip_parts(const part_source& of, failure& why) noexcept try {
  const auto list = of.what.entries.find("szip_block_offsets");
  if (!list) return nullptr;
  const auto& with = of.parameters.szip;
  why = check_szip(with, of.size);
  if (why) return nullptr;
  // Each offset is a byte of the file at the least, and looked at before memory for it is asked for.
  const std::uint64_t count = (of.size - 1) / szip_interval(with) + 1;
  const std::uint64_t stored = of.stored.size();
  std::vector<std::uint64_t> offsets;
  std::size_t sound = 0;
  const bool possible = count <= list->tail().size() && stored <= UINT64_MAX / 8;
  if (possible) offsets.resize(static_cast<std::size_t>(count));
  if (!possible || !read_offsets(*list, stored * 8, offsets, sound)) {
    why = bad_parameter(sound);
    return nullptr;
  }
  return std::make_unique<szip_parts>(with, of.size, stored, std::move(offsets));
} catch (const std::bad_alloc&) {
  why = no_memory();
  return nullptr;
}

}  // namespace tgmap::codec
