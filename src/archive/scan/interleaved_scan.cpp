// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/interleaved_scan.hpp"

#include <algorithm>
#include <new>

#include "archive/scan/stated_size.hpp"
#include "io/finder.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

using entry = message_table::entry;

/// Number of bytes searched for the seed of one chain.
constexpr std::uint64_t seed_search = 64 << 10;

/// A `chain` follows messages from its seed. It prefetches the end of each message, or of each frame of a stream, and
/// checks that end in its next step.
struct chain {
  std::uint64_t seed = 0;
  std::uint64_t stop = 0;    ///< stops at the first message end at or after this offset
  std::uint64_t offset = 0;  ///< end of the last message found
  stated_size stated{};      ///< the size stated by the preamble at `offset`
  std::uint64_t frame = 0;   ///< offset of the last frame of a stream
  std::uint64_t frame_length = 0;
  entry* found = nullptr;
  std::size_t count = 0;
};

void prefetch(const std::byte* at) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(at);
#endif
}

/// Records the message that ends at `end`. Returns false if the chain ends there.
bool record(chain& c, std::uint64_t end) noexcept {
  c.found[c.count++] = entry::of(c.offset, end - c.offset, c.stated.version, c.stated.length == 0);
  c.offset = end;
  return end < c.stop && c.count < interleaved_scan::chain_capacity;
}

/// The kind of structure at an offset in a stream.
enum class stream_part : std::uint8_t { frame, end, other };

/// Reads a frame or a postamble by the rules of frame_walk, except for padding. Prefetches the end of a frame. Sets
/// `end` after a postamble.
stream_part read_stream_frame(chain& c, std::span<const std::byte> all, std::uint64_t at, std::uint64_t& end) noexcept {
  const std::uint64_t left = all.size() - at;
  // No chain walks much further than the distance between two seeds. Otherwise many chains could walk the same frames.
  if (left < wire::frame_header_size || at - c.seed > 2 * (c.stop - c.seed)) return stream_part::other;
  const std::byte* const here = all.data() + at;
  if (here[0] == wire::frame_magic[0] && here[1] == wire::frame_magic[1]) {
    const auto type = static_cast<std::uint16_t>(wire::load_be<std::uint64_t>(here) >> 32);
    const std::uint64_t length = wire::load_be<std::uint64_t>(here + 8);
    wire::prevent_reload();
    if (!wire::is_frame_length(length, type, c.stated.version, left)) return stream_part::other;
    c.frame = at;
    c.frame_length = length;
    prefetch(here + length - wire::frame_end_magic.size());
    prefetch(here + std::min(left - 1, wire::next_frame(0, length) + wire::largest_postamble - 1));
    return stream_part::frame;
  }
  const std::size_t size = wire::postamble_size(c.stated.version);
  if (left < size || !is_magic(here + size - wire::end_magic.size(), wire::end_magic)) return stream_part::other;
  end = at + size;
  const std::uint64_t mirrored = c.stated.version == 2 ? 0 : wire::load_be<std::uint64_t>(here + 8);
  wire::prevent_reload();
  return wire::agrees_with_length(mirrored, end - c.offset) ? stream_part::end : stream_part::other;
}

/// Continues a stream at `at`. Returns true if a frame is there. Otherwise the stream ended, and the chain continues at
/// `c.offset` unless `ended` is set.
bool continue_stream(chain& c, std::span<const std::byte> all, std::uint64_t at, bool& ended) noexcept {
  std::uint64_t end = 0;
  const stream_part part = read_stream_frame(c, all, at, end);
  ended = part == stream_part::other || (part == stream_part::end && !record(c, end));
  return part == stream_part::frame;
}

/// Reads the preamble at `c.offset` and prefetches the end of the message, or the first frame of the stream. Returns
/// false if the chain ends.
bool read_preamble(chain& c, std::span<const std::byte> all) noexcept {
  for (bool ended = false; !ended;) {
    c.stated = {};
    const std::uint64_t left = all.size() - c.offset;
    if (left < wire::preamble_size) return false;
    c.stated = read_stated_size(all.data() + c.offset, left);
    if (c.stated.version == 0) return false;
    if (c.stated.length != 0) {
      const std::byte* const border = all.data() + c.offset + c.stated.length;
      prefetch(border - border_before);
      prefetch(border + (c.stated.length == left ? 0 : border_behind - 1));
      return true;
    }
    if (continue_stream(c, all, c.offset + wire::preamble_size, ended)) return true;
  }
  return false;
}

/// Records the message or frame read last if it ends correctly. Returns false if the chain ends.
bool step(chain& c, std::span<const std::byte> all) noexcept {
  if (c.stated.length != 0) {
    const std::uint64_t next = c.offset + c.stated.length;
    return message_ends_at(all.data() + next, c.stated) && record(c, next) && read_preamble(c, all);
  }
  const std::byte* const tail = all.data() + c.frame + c.frame_length - wire::frame_end_magic.size();
  if (std::memcmp(tail, wire::frame_end_magic.data(), wire::frame_end_magic.size()) != 0) return false;
  const std::uint64_t next = std::min<std::uint64_t>(wire::next_frame(c.frame, c.frame_length), all.size());
  bool ended = false;
  return continue_stream(c, all, next, ended) || (!ended && read_preamble(c, all));
}

/// Returns the first offset in [from, to) that looks like a message and is near `from`; `to` if there is none.
std::uint64_t find_seed(std::span<const std::byte> all, std::uint64_t from, std::uint64_t to) noexcept {
  const std::uint64_t last = std::min(to, from + std::min(to - from, seed_search));
  while (from < last) {
    const std::uint64_t at = io::find_in_memory(all, wire::message_magic, from, last);
    if (at >= last) break;
    if (all.size() - at >= wire::preamble_size && read_stated_size(all.data() + at, all.size() - at).version != 0)
      return at;
    from = at + 1;
  }
  return to;
}

/// Places seeds evenly in [begin, end), fewer where none is found. Returns their number.
std::size_t place_seeds(std::span<chain> chains, std::span<const std::byte> all, std::uint64_t begin,
                        std::uint64_t end) noexcept {
  const std::uint64_t apart = (end - begin) / chains.size();
  std::size_t placed = 1;
  chains[0].seed = begin;
  for (std::size_t k = 1; k < chains.size(); ++k) {
    const std::uint64_t from = begin + k * apart, to = k + 1 < chains.size() ? from + apart : end;
    const std::uint64_t seed = find_seed(all, from, to);
    if (seed < to && seed > begin) chains[placed++].seed = seed;
  }
  for (std::size_t k = 0; k < placed; ++k) {
    chains[k].offset = chains[k].seed;
    chains[k].stop = k + 1 < placed ? chains[k + 1].seed : end;
  }
  return placed;
}

/// Advances all chains in turn until each has ended.
void run(std::span<chain> placed, std::span<const std::byte> all) noexcept {
  std::array<chain*, interleaved_scan::max_chains> active;
  std::size_t count = 0;
  for (chain& c : placed)
    if (read_preamble(c, all)) active[count++] = &c;
  while (count > 0)
    for (std::size_t k = 0; k < count;) {
      if (step(*active[k], all))
        ++k;
      else
        active[k] = active[--count];
    }
}

}  // namespace

failure interleaved_scan::walk(const io::source& in, std::uint64_t begin, std::uint64_t end, std::size_t count,
                               result& out, bool are_apart) noexcept {
  out = {.end = begin};
  if (!found_) found_.reset(new (std::nothrow) entry[max_chains * chain_capacity]);
  if (!found_)
    return {.code = errc::out_of_memory, .offset = begin, .found = max_chains * chain_capacity * sizeof(entry)};
  std::array<chain, max_chains> chains;
  for (std::size_t k = 0; k < max_chains; ++k) chains[k].found = found_.get() + k * chain_capacity;
  std::size_t placed = 0;
  const auto walk_chains = [&](std::span<const std::byte> all) noexcept {
    placed = place_seeds(std::span(chains).first(count), all, begin, end);
    run(std::span(chains).first(placed), all);
  };
  if (failure why = are_apart ? in.look_at_structure(walk_chains) : in.look(walk_chains)) return why;

  for (std::size_t k = 0; k < placed; ++k) {
    const chain& c = chains[k];
    if (c.seed != out.end) return {};  // the chain before went past this seed, or did not reach it
    out.parts[out.count++] = {c.found, c.count};
    out.end = c.offset;
    if (c.offset >= c.stop) continue;
    out.needs_parser = c.count < chain_capacity;
    return {};
  }
  out.is_whole = true;
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
