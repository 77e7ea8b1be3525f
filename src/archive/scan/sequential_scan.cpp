// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/sequential_scan.hpp"

#include <algorithm>
#include <array>

namespace tgmap {
inline namespace v0 {
namespace detail {

using entry = message_table::entry;

failure sequential_scan::advance(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept {
  needs_parser_ = false;
  const std::uint64_t begin = at, before = table_->size();
  const bool worth_chains = undamaged_ >= min_chain_messages && messages > min_chain_messages &&
                            in_->size() >= min_chain_bytes &&
                            std::min(bytes, in_->size() - at) / mean_ > min_chain_messages;
  if (worth_chains && !are_apart()) in_->expect_many();
  const bool measured = worth_chains && is_measured(at);
  const bool by_chains = !measured && worth_chains && !uses_reads();
  const failure why =
      measured ? scan_measured(at, messages, bytes)
      : by_chains
          ? scan_by_chains(at, messages, bytes)
          : scan_by_window(window(), at,
                           undamaged_ < min_chain_messages ? std::min(messages, min_chain_messages) : messages, bytes);
  if (const std::uint64_t added = table_->size() - before; added > 0) {
    mean_ = (at - begin) / added;
    if (!by_chains) reads_per_message_ = 1;  // scan_by_window adds no streams
  }
  return why;
}

/// Checks if the way to the next messages depends on what both ways cost here. Files that are not in the page cache are
/// always read: page faults wait for one page after the other.
bool sequential_scan::is_measured(std::uint64_t at) noexcept {
  if (!in_->in_file() || reads_per_message_ != 1 || mean_ < min_measured_length) return false;
  if (reader_.cold()) {
    way_->reset();
    return false;
  }
  if (!way_->is_decided()) {
    if ((in_->size() - at) / mean_ < min_measured_messages) return false;
    in_->expect_many();
  }
  return in_->direct();
}

failure sequential_scan::scan_measured(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept {
  const scan_way way = way_->next();
  const auto clock = scan_clock.load(std::memory_order_relaxed);
  const std::uint64_t count = std::min(messages, way_->max_messages()), before = table_->size(), begin = clock();
  failure why;
  if (way == scan_way::reads)
    why = scan_by_window(read_window_, at, count, bytes);
  else if (are_apart() || way_->is_measuring())
    why = scan_by_one_chain(at, count, bytes);
  else
    why = scan_by_chains(at, messages, bytes);
  way_->add(way, table_->size() - before, clock() - begin);
  return why;
}

failure sequential_scan::append(std::span<const entry> batch, std::uint64_t& at) noexcept {
  if (batch.empty()) return {};
  if (!table_->append(batch)) return {.code = errc::out_of_memory, .offset = at, .found = batch.size_bytes()};
  at = batch.back().end();
  undamaged_ += batch.size();
  return {};
}

/// Adds about as many messages as wanted, through the mapping, without a look at any other page.
failure sequential_scan::scan_by_one_chain(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept {
  const std::uint64_t wanted = std::min({bytes, in_->size() - at, messages * mean_});
  interleaved_scan::result found;
  if (failure why = chains_.walk(*in_, at, at + wanted, 1, found, true)) {
    if (why.code == make_error_code(errc::out_of_memory)) return why;
    undamaged_ = 0;  // the file lost pages
    return scan_by_window(read_window_, at, messages, bytes);
  }
  needs_parser_ = found.needs_parser;
  if (!found.is_whole) undamaged_ = 0;
  return found.count == 0 ? failure{} : append(found.parts[0], at);
}

failure sequential_scan::scan_by_chains(std::uint64_t& at, std::uint64_t messages, std::uint64_t bytes) noexcept {
  // Large messages are read by one chain: seeds among them cost more than they gain. The region is limited by the bytes
  // and messages that were asked for, and by the messages that the chains can hold.
  const std::uint64_t max_count = mean_ < large_message ? interleaved_scan::max_chains : 1,
                      capacity = max_count * interleaved_scan::chain_capacity / 8 * 7;
  const std::uint64_t wanted = std::min({region_, bytes, in_->size() - at, std::min(messages, capacity) * mean_});
  const std::uint64_t count = std::clamp<std::uint64_t>(wanted / mean_ / 64, 1, max_count);
  interleaved_scan::result found;
  if (failure why = chains_.walk(*in_, at, at + wanted, count, found)) {
    if (why.code == make_error_code(errc::out_of_memory)) return why;
    // The file lost pages of the region: read one message after the other up to there.
    undamaged_ = 0;
    return scan_by_window(load_window_, at, messages, bytes);
  }
  // If the chains did not join, their work was lost. The next region is then small again, and begins after some
  // messages were read without chains. A region grows no faster than the bytes scanned, so that the lost work is at
  // most a few times the useful work.
  region_ = found.is_whole ? std::min(2 * region_, largest_region) : first_region;
  for (std::size_t k = 0; k < found.count; ++k)
    if (failure why = append(found.parts[k], at)) return why;
  needs_parser_ = found.needs_parser;
  if (!found.is_whole) undamaged_ = 0;
  return {};
}

failure sequential_scan::scan_by_window(io::window& look, std::uint64_t& at, std::uint64_t messages,
                                        std::uint64_t bytes) noexcept {
  std::array<entry, 512> batch;
  const std::uint64_t begin = at, size = in_->size();
  std::size_t count = 0;
  failure why;
  for (std::uint64_t next = at;
       next < size && next - begin < bytes && count < std::min<std::uint64_t>(messages, batch.size());) {
    const std::uint64_t from = next, left = size - from;
    needs_parser_ = true;
    if (left < wire::preamble_size) break;
    const auto preamble = look.at(from, wire::preamble_size, why);
    if (why) break;
    const stated_size message = read_stated_size(preamble.data(), left);
    if (message.length == 0) break;  // a stream, or unknown
    next = from + message.length;
    const auto bytes_after = std::min<std::uint64_t>(border_behind, size - next);
    if (&look == &read_window_) {
      if (ahead_.add(message.length)) reader_.expect_requested();
      if (reader_.cold()) ahead_.request(next);
    }
    // One read covers the end of this message and the beginning of the next.
    const auto border = look.at(next - border_before, static_cast<std::size_t>(border_before + bytes_after), why);
    if (why || !message_ends_at(border.data() + border_before, message)) break;
    batch[count++] = entry::of(from, message.length, message.version, false);
    needs_parser_ = false;
  }
  // Bytes that could not be read are read again by parse_message_at, which reports the error.
  return append(std::span(batch).first(count), at);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
