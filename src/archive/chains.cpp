// SPDX-License-Identifier: Apache-2.0
#include "archive/chains.hpp"

#include <algorithm>
#include <new>

#include "archive/stated_length.hpp"
#include "io/find.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

using entry = message_table::entry;

/// Bytes searched for the seed of one chain.
constexpr std::uint64_t seed_search = 64 << 10;

/// One walk. `ahead` is what the preamble at `at` states; its end is looked at when the cache lines have come.
struct chain {
  std::uint64_t seed = 0;
  std::uint64_t stop = 0;  ///< goes no further than the first border at or behind this
  std::uint64_t at = 0;    ///< end of the last message found
  stated ahead{};
  entry* found = nullptr;
  std::size_t count = 0;
};

void fetch(const std::byte* at) noexcept {
#if defined(__GNUC__)
  __builtin_prefetch(at);
#endif
}

/// Reads the preamble at `c.at` and asks for the border behind that message. False when the chain ends there.
bool look_ahead(chain& c, std::span<const std::byte> all) noexcept {
  c.ahead = {};
  const std::uint64_t left = all.size() - c.at;
  if (left < wire::preamble_size) return false;
  c.ahead = stated_length(all.data() + c.at, left);
  if (c.ahead.length == 0) return false;
  const std::byte* const border = all.data() + c.at + c.ahead.length;
  fetch(border - border_before);
  fetch(border + (c.ahead.length == left ? 0 : border_behind - 1));
  return true;
}

/// Takes the message that `look_ahead` told of, if it ends as it should. False when the chain ends.
bool step(chain& c, std::span<const std::byte> all) noexcept {
  const std::uint64_t next = c.at + c.ahead.length;
  if (!ends_here(all.data() + next, c.ahead)) return false;
  c.found[c.count++] = entry::of(c.at, c.ahead.length, c.ahead.version);
  c.at = next;
  return next < c.stop && c.count < chains::room && look_ahead(c, all);
}

/// The first thing at or behind `from` that looks like a message, near it and before `to`; `to` when there is none.
std::uint64_t find_seed(std::span<const std::byte> all, std::uint64_t from, std::uint64_t to) noexcept {
  const std::uint64_t last = std::min(to, from + std::min(to - from, seed_search));
  while (from < last) {
    const std::uint64_t at = io::find_in_memory(all, wire::message_magic, from, last);
    if (at >= last) break;
    if (all.size() - at >= wire::preamble_size && stated_length(all.data() + at, all.size() - at).length != 0) return at;
    from = at + 1;
  }
  return to;
}

/// Places seeds evenly in [begin, end); fewer where none is found. Returns how many.
std::size_t place(std::span<chain> all_chains, std::span<const std::byte> all, std::uint64_t begin,
                  std::uint64_t end) noexcept {
  const std::uint64_t apart = (end - begin) / all_chains.size();
  std::size_t placed = 1;
  all_chains[0].seed = begin;
  for (std::size_t k = 1; k < all_chains.size(); ++k) {
    const std::uint64_t from = begin + k * apart, to = k + 1 < all_chains.size() ? from + apart : end;
    const std::uint64_t seed = find_seed(all, from, to);
    if (seed < to) all_chains[placed++].seed = seed;
  }
  for (std::size_t k = 0; k < placed; ++k) {
    all_chains[k].at = all_chains[k].seed;
    all_chains[k].stop = k + 1 < placed ? all_chains[k + 1].seed : end;
  }
  return placed;
}

/// Runs all chains by turns until each has ended.
void run(std::span<chain> placed, std::span<const std::byte> all) noexcept {
  std::array<chain*, chains::most> going;
  std::size_t count = 0;
  for (chain& c : placed)
    if (look_ahead(c, all)) going[count++] = &c;
  while (count > 0)
    for (std::size_t k = 0; k < count;) {
      if (step(*going[k], all))
        ++k;
      else
        going[k] = going[--count];
    }
}

}  // namespace

failure chains::walk(const io::source& in, std::uint64_t begin, std::uint64_t end, std::size_t count,
                     result& out) noexcept {
  out = {.end = begin};
  if (!found_) found_.reset(new (std::nothrow) entry[most * room]);
  if (!found_) return {.code = errc::out_of_memory, .offset = begin, .found = most * room * sizeof(entry)};
  std::array<chain, most> walks;
  for (std::size_t k = 0; k < most; ++k) walks[k].found = found_.get() + k * room;
  std::size_t placed = 0;
  failure why = in.look([&](std::span<const std::byte> all) noexcept {
    placed = place(std::span(walks).first(count), all, begin, end);
    run(std::span(walks).first(placed), all);
  });
  if (why) return why;

  for (std::size_t k = 0; k < placed; ++k) {
    const chain& c = walks[k];
    if (c.seed != out.end) return {};  // the proven chain went past this seed, or did not get there
    out.parts[out.count++] = {c.found, c.count};
    out.end = c.at;
    if (c.at >= c.stop) continue;
    out.met_other = c.count < room;
    return {};
  }
  out.whole = true;
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
