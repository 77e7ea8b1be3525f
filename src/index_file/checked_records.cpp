// SPDX-License-Identifier: Apache-2.0
#include "index_file/checked_records.hpp"

#include <algorithm>
#include <array>

#include "wire/frame.hpp"
#include "wire/preamble.hpp"

namespace tgmap::index_file {

namespace {

failure mismatch(std::uint64_t offset, std::uint64_t expected, std::uint64_t found) noexcept {
  return {.code = errc::index_mismatch, .offset = offset, .expected = expected, .found = found};
}

/// Reads record `at` as the second of three, and the records before and after it, as far as there are such.
template <class Record>
failure read_neighbours(const reader& from, std::uint64_t at, bool has_before, bool has_after,
                        std::array<Record, 3>& out) noexcept {
  const std::size_t begin = has_before ? 0 : 1, end = has_after ? 3 : 2;
  return from.read(at - (has_before ? 1 : 0), std::span(out).subspan(begin, end - begin));
}

/// Finds the first gap that ends behind `at`. It is empty if there is none.
failure find_gap(const reader& from, std::uint64_t at, listed_gap& out) noexcept {
  std::uint64_t low = 0, high = from.facts().gaps;
  out = {};
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    listed_gap gap;
    if (failure why = from.read(middle, gap)) return why;
    if (gap.end <= at) {
      low = middle + 1;
    } else {
      high = middle;
      out = gap;
    }
  }
  return {};
}

/// Checks that gaps fill [at, end), where no message is. That they follow each other is checked by read_gap.
bool is_filled_by_gaps(const reader& from, std::uint64_t at, std::uint64_t end, failure& why) noexcept {
  listed_gap first, last;
  if (at >= end || (why = find_gap(from, at, first)) || (why = find_gap(from, end - 1, last))) return false;
  return first.begin == at && first.end > at && last.end == end;
}

/// Checks that one message follows the other.
failure compare(const reader& from, const listed_message& before, const listed_message& after) noexcept {
  const std::uint64_t end = before.offset + before.length, objects = before.first_object + before.objects;
  failure why;
  if (after.offset != end && !is_filled_by_gaps(from, end, after.offset, why))
    return why ? why : mismatch(end, end, after.offset);
  return after.first_object == objects ? failure{} : mismatch(after.offset, objects, after.first_object);
}

}  // namespace

failure read_message(const reader& from, std::uint64_t i, listed_message& out) noexcept {
  const trailer& facts = from.facts();
  // Where there is no neighbour, the covered bytes and the objects begin or end.
  std::array<listed_message, 3> records{{{}, {}, {.offset = facts.covered, .first_object = facts.objects}}};
  failure why = read_neighbours(from, i, i > 0, i + 1 < facts.messages, records);
  const auto& [before, found, after] = records;
  if (!why) why = compare(from, before, found);
  if (!why) why = compare(from, found, after);
  const std::uint64_t most = found.length / wire::min_frame_size(wire::object_frame, found.version);
  if (!why && found.objects > most) why = mismatch(found.offset, most, found.objects);
  if (why && why.code == make_error_code(errc::index_mismatch)) why.message = i;
  out = found;
  return why;
}

failure read_object(const reader& from, const listed_message& of, std::uint64_t j, listed_object& out) noexcept {
  const std::uint64_t number = of.first_object + j, objects = from.facts().objects;
  if (number >= objects) return mismatch(of.offset, objects, number);
  std::array<listed_object, 3> records{{{.offset = wire::preamble_size}, {}, {.offset = of.length}}};
  const bool has_after = j + 1 < of.objects && number + 1 < objects;
  if (failure why = read_neighbours(from, number, j > 0, has_after, records)) return why;
  const auto& [before, found, after] = records;
  if (!wire::fits(before.offset, before.length, found.offset))
    return mismatch(of.offset, before.offset + before.length, found.offset);
  if (!wire::fits(found.offset, found.length, after.offset))
    return mismatch(of.offset, found.offset + found.length, after.offset);
  out = found;
  return {};
}

failure read_gap(const reader& from, std::uint64_t k, listed_gap& out) noexcept {
  const trailer& facts = from.facts();
  listed_gap before;
  failure why = k > 0 ? from.read(k - 1, before) : failure{};
  if (!why) why = from.read(k, out);
  if (why) return why;
  const std::uint64_t next = out.messages_before;
  if (out.begin > out.end || next > facts.messages || next < before.messages_before || out.code == 0)
    return mismatch(out.begin, facts.covered, out.end);
  std::array<listed_message, 3> records{{{}, {.offset = facts.covered}, {}}};
  if (next < facts.messages)
    why = read_neighbours(from, next, next > 0, false, records);
  else if (next > 0)
    why = from.read(next - 1, std::span(records).first(1));
  if (why) return why;
  const std::uint64_t begin = std::max(before.end, records[0].offset + records[0].length), end = records[1].offset;
  if (out.begin != begin) return mismatch(out.begin, begin, out.begin);
  return out.end <= end ? failure{} : mismatch(out.begin, end, out.end);
}

}  // namespace tgmap::index_file
