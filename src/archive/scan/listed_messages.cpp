// SPDX-License-Identifier: Apache-2.0
#include "archive/scan/listed_messages.hpp"

#include <array>
#include <atomic>

#include "archive/scan/message_table.hpp"
#include "archive/scan/open_index.hpp"
#include "index_file/checked_records.hpp"
#include "wire/message_layout.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

failure mismatch(std::uint64_t i, std::uint64_t offset, std::uint64_t expected, std::uint64_t found) noexcept {
  return {.code = errc::index_mismatch, .offset = offset, .expected = expected, .found = found, .message = i};
}

message_position position_of(const index_file::listed_message& record, std::uint64_t i) noexcept {
  auto entry = message_table::entry::of(record.offset, record.length, record.version, record.is_streamed);
  entry.incomplete = record.is_incomplete;
  return entry.position(i);
}

}  // namespace

failure listed_messages::compare(std::uint64_t i, const index_file::listed_message& record) const noexcept {
  if (!wire::fits(record.offset, record.length, covered()) || record.length < wire::preamble_size ||
      (!record.is_incomplete && record.length < wire::min_message_size(record.version)))
    return mismatch(i, record.offset, record.length, bytes_->size());
  std::array<std::byte, wire::preamble_size> begin;
  if (failure why = bytes_->load(record.offset, begin)) return why;
  const auto start = wire::parse_preamble(begin);
  const std::uint64_t stated = record.is_streamed ? 0 : record.length;
  if (!start || start->version != record.version || start->total_length != stated)
    return mismatch(i, record.offset, record.length, start ? start->total_length : 0);
  if (start->flags != record.flags) return mismatch(i, record.offset, record.flags, start->flags);
  if (!record.is_streamed || record.is_incomplete) return {};
  std::array<std::byte, wire::end_magic.size()> end;
  if (failure why = bytes_->load(record.offset + record.length - end.size(), end)) return why;
  return wire::starts_with(end, 0, wire::end_magic) ? failure{} : mismatch(i, record.offset, record.length, 0);
}

failure listed_messages::compare_next_sample() const noexcept {
  const std::atomic_ref next(next_sample_);
  std::uint64_t i = next.load(std::memory_order_relaxed);
  if (i >= index_->facts().samples) return {};
  if (failure why = compare_sample(*index_, *bytes_, i)) return why;
  next.compare_exchange_strong(i, i + 1, std::memory_order_relaxed);  // another thread may have compared it, too
  return {};
}

message_position listed_messages::at(std::uint64_t i, failure& why) const noexcept {
  index_file::listed_message record;
  why = index_file::read_message(*index_, i, record);
  if (!why) why = compare(i, record);
  if (!why) why = compare_next_sample();
  if (!why) return position_of(record, i);
  // If a file was cut, the rest of its last page reads as zeros.
  if (failure cut = bytes_->check_not_truncated()) why = cut;
  why.message = i;
  return {};
}

failure listed_messages::count_use(const message_position& message) const noexcept {
  const std::uint64_t used = std::atomic_ref(used_bytes_).fetch_add(message.length(), std::memory_order_relaxed);
  if (message.length() <= covered() && used <= covered() - message.length()) return {};
  failure why = mismatch(0, message.offset(), covered(), used);
  why.message = message.index();
  return why;
}

std::uint64_t listed_messages::offset_of(std::uint64_t i, failure& why) const noexcept {
  index_file::listed_message record;
  why = index_->read(i, record);
  return record.offset;
}

bool listed_messages::find_object(const message_position& message, std::uint64_t j, object_place& place,
                                  std::uint64_t& objects) const noexcept {
  index_file::listed_message record;
  const auto i = message.index();
  if (!i || *i >= count() || index_file::read_message(*index_, *i, record) || record.offset != message.offset() ||
      record.length != message.length() || j >= record.objects)
    return false;
  index_file::listed_object object;
  if (index_file::read_object(*index_, record, j, object)) return false;
  place = {.offset = object.offset, .length = object.length, .preceder = 0};
  objects = record.objects;
  return true;
}

gap listed_messages::gap_at(std::uint64_t k, std::uint64_t& messages_before, failure& why) const noexcept {
  index_file::listed_gap record;
  why = index_file::read_gap(*index_, k, record);
  if (why) return {};
  messages_before = record.messages_before;
  gap out{.begin = record.begin,
          .end = record.end,
          .cause = {.code = static_cast<errc>(record.code),
                    .offset = record.offset,
                    .expected = record.expected,
                    .found = record.found}};
  if (record.names_message && record.messages_before > 0) out.cause.message = record.messages_before - 1;
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
