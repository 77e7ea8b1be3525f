// SPDX-License-Identifier: Apache-2.0
// Parts of a szip stream (§7.4). Reference intervals are independent, and the descriptor may have their offsets. Only a
// scan of everything before an interval proves its offset: wrong offsets may point to another valid stream.
#include <algorithm>
#include <new>
#include <vector>

#include "cbor/guarded_read.hpp"
#include "cbor/structure/index_frame.hpp"
#include "codec/codec_functions.hpp"
#include "codec/failures.hpp"
#include "codec/szip/szip.hpp"
#include "codec/szip/szip_offsets.hpp"
#include "wire/bytes.hpp"

namespace tgmap::codec {

namespace {

/// Shifts a stream left by less than a byte, to align its start to a byte. Bits past the end count as zeros.
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

/// Stored bytes that are checked at a time, unless one interval is larger. They fit into the cache.
constexpr std::uint64_t checked_together = std::uint64_t{1} << 18;

class szip_partial_decompressor final : public partial_decompressor {
 public:
  szip_partial_decompressor(const partial_source& source, std::vector<std::uint64_t> offsets)
      : with_(source.parameters.szip),
        size_(source.size),
        stored_(source.stored.size()),
        interval_(szip_interval(with_)),
        reads_everything_(source.reads_everything),
        offsets_(std::move(offsets)) {}

  extent around(extent wanted) const noexcept override {
    const std::uint64_t end = (wanted.end + interval_ - 1) / interval_ * interval_;
    return {wanted.begin / interval_ * interval_, std::min(end, size_)};
  }

  std::uint64_t cost(extent pieces) const noexcept override {
    return end_byte(last_of(pieces)) - offsets_[first_of(pieces)] / 8;
  }

  failure read(extent pieces, const payload_reader& payload, partial_buffers& tools,
               std::span<std::byte> out) const noexcept override {
    const std::size_t begin = first_of(pieces), end = last_of(pieces) + 1;
    const std::uint64_t proven = payload.checked_offsets();
    if (!reads_everything_ && proven < begin)
      if (failure why = prove(static_cast<std::size_t>(proven), begin, payload, tools.other)) return why;
    // libaec misreads padded intervals unless it gets one at a time.
    const bool padded = (with_.flags & szip_pad_rsi) != 0;
    const std::size_t together = padded ? 1 : end - begin;
    for (std::size_t first = begin; first < end; first += together) {
      const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(together * interval_, out.size()));
      if (failure why = run({first, first + together}, proven, payload, tools, out.first(size))) return why;
      out = out.subspan(size);
    }
    if (!reads_everything_ && proven < end) payload.remember_checked_offsets(end);
    return {};
  }

  failure check_offsets(const payload_reader& payload, partial_buffers& tools) const noexcept override {
    return prove(0, offsets_.size(), payload, tools.other);
  }

 private:
  /// Intervals [begin, end).
  struct intervals {
    std::size_t begin, end;
  };

  std::size_t first_of(extent pieces) const noexcept { return static_cast<std::size_t>(pieces.begin / interval_); }
  std::size_t last_of(extent pieces) const noexcept { return static_cast<std::size_t>((pieces.end - 1) / interval_); }
  std::uint64_t end_byte(std::size_t interval) const noexcept {
    return interval + 1 < offsets_.size() ? (offsets_[interval + 1] + 7) / 8 : stored_;
  }
  std::uint64_t begin_byte(std::size_t interval) const noexcept { return offsets_[interval] / 8; }

  /// Returns the number of blocks of the last interval.
  std::uint32_t last_blocks() const noexcept {
    const std::uint64_t block = std::uint64_t{with_.block_size} * with_.sample_size;
    return static_cast<std::uint32_t>((size_ - (offsets_.size() - 1) * interval_ + block - 1) / block);
  }

  /// Checks that intervals end where the next ones start, and the last one inside the stream. `stream` has their bytes.
  failure check(intervals which, std::span<const std::byte> stream) const noexcept {
    const std::uint64_t origin = begin_byte(which.begin) * 8;
    const bool last = which.end == offsets_.size();
    const auto places = std::span(offsets_).subspan(which.begin, which.end - which.begin + (last ? 0 : 1));
    const std::size_t sound = count_valid_szip_offsets(with_, stream, origin, places);
    if (sound < places.size()) return wrong_place(which.begin + sound);
    if (last && !last_interval_fits(with_, stream, offsets_.back() - origin, last_blocks()))
      return wrong_place(which.end - 1);
    return {};
  }

  /// Checks the offsets after `first` up to and including `end`, given that the one of `first` is right.
  /// Errors: bad_parameter (found = index of the wrong offset), those of reading.
  failure prove(std::size_t first, std::size_t end, const payload_reader& payload,
                core::scratch& memory) const noexcept {
    while (first < end) {
      const std::uint64_t begin = begin_byte(first);
      std::size_t next = first + 1;
      while (next < end && end_byte(next) - begin <= checked_together) ++next;
      failure why;
      const auto size = static_cast<std::size_t>(end_byte(next - 1) - begin);
      std::span<const std::byte> stream = payload.in_memory();
      if (stream.data() != nullptr) {
        stream = stream.subspan(static_cast<std::size_t>(begin), size);
      } else {
        const auto copy = memory.take(size, why);
        if (!why) why = payload.read(begin, copy);
        stream = copy;
      }
      if (!why) why = check({first, next}, stream);
      if (why) return why;
      first = next;
    }
    return {};
  }

  static failure wrong_place(std::size_t number) noexcept { return bad_parameter(number, "szip_block_offsets"); }

  failure run(intervals which, std::uint64_t proven, const payload_reader& payload, partial_buffers& tools,
              std::span<std::byte> out) const noexcept {
    failure why;
    const std::uint64_t begin = begin_byte(which.begin);
    const auto stream = tools.stored.take(static_cast<std::size_t>(end_byte(which.end - 1) - begin), why);
    if (!why) why = payload.read(begin, stream);
    if (!why && proven < which.end) why = check(which, stream);
    if (why) return why;
    shift_left(stream, static_cast<unsigned>(offsets_[which.begin] % 8));
    return decode_szip(with_, stream, out);
  }

  szip_parameters with_;
  std::uint64_t size_, stored_, interval_;
  bool reads_everything_;               ///< each piece checks its own offsets, and together they check all
  std::vector<std::uint64_t> offsets_;  ///< in bits, one an interval, ascending, within the stored bytes
};

/// Reads the offsets: one for each interval, the first one 0, ascending, inside the stream. There may be thousands, so
/// one pass reads them all.
bool read_offsets(const cbor_view& list, std::uint64_t bits, std::span<std::uint64_t> out) noexcept {
  return cbor::read_guarded(false, [&]() noexcept {
    cbor::integers offsets(list.bytes_to_end());
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint64_t& now = out[i];
      if (!offsets.next(now) || now >= bits) return false;
      if (i == 0 ? now != 0 : now <= out[i - 1]) return false;
    }
    std::uint64_t more;
    return !offsets.next(more) && !offsets.bad();
  });
}

}  // namespace

std::unique_ptr<const partial_decompressor> open_szip_partial(const partial_source& source, failure& why) noexcept try {
  const auto list = source.descriptor.entries.find("szip_block_offsets");
  if (!list) return nullptr;
  why = check_szip(source.parameters.szip, source.size);
  if (why) return nullptr;
  // Each offset takes at least one byte of the file, which limits the allocation. An impossible list is ignored.
  const std::uint64_t count = (source.size - 1) / szip_interval(source.parameters.szip) + 1,
                      stored = source.stored.size();
  if (count > list->bytes_to_end().size() || stored > UINT64_MAX / 8) return nullptr;
  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(count));
  if (!read_offsets(*list, stored * 8, offsets)) return nullptr;
  return std::make_unique<szip_partial_decompressor>(source, std::move(offsets));
} catch (const std::bad_alloc&) {
  why = no_memory();
  return nullptr;
}

}  // namespace tgmap::codec
