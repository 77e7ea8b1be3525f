// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/sections/field.hpp"

#include <cstring>

#include "bridge/grib/sections/message_header.hpp"
#include "bridge/grib/sections/numbers.hpp"
#include "bridge/grib/sections/section_failure.hpp"

namespace tgmap::bridge::grib {

namespace {

constexpr std::size_t end_bytes = 4;
// Bytes that each section has at least, by its number. Templates need more.
constexpr std::array<std::size_t, 9> min_lengths_2 = {16, 21, 5, 14, 9, 11, 6, 5, 4};

bool is_end(byte_view message, std::size_t at) noexcept { return std::memcmp(message.data() + at, "7777", 4) == 0; }

// The lowest number that may follow; section 2 may come wherever 3 may.
constexpr unsigned number_after(unsigned number) noexcept { return number == 1 ? 3 : number == 7 ? 4 : number + 1; }

constexpr bool may_follow(unsigned next, unsigned number) noexcept {
  if (number == 1) return next == 2 || next == 3;
  if (number == 7) return next >= 2 && next <= 4;
  return next == number + 1;
}

}  // namespace

field_reader::field_reader(byte_view message, std::uint64_t offset, failure& why) noexcept {
  why = {};
  const message_header header = read_message_header(message);
  if (header.found == message_header::kind::incomplete || header.found == message_header::kind::not_grib)
    why = make_failure(header.edition == 0 && message.size() >= 8 ? errc::bad_indicator : errc::message_truncated,
                       offset, header.size, message.size());
  else if (header.found == message_header::kind::impossible)
    why = make_failure(errc::bad_indicator, offset, 0, header.size);
  else if (header.size > message.size())
    why = make_failure(errc::message_truncated, offset, header.size, message.size());
  else if (header.size < message.size())
    why = make_failure(errc::unclaimed_bytes, offset + header.size, 0, message.size() - header.size);
  else if (!is_end(message, message.size() - end_bytes))
    why = make_failure(errc::no_end_marker, offset, header.size, 0);
  if (why) return;

  last_.edition = header.edition;
  last_.message = message;
  last_.offset = offset;
  std::size_t count = 0;
  for (field each; next(each, why);) ++count;
  last_.sections = {};
  earlier_bitmap_ = {};
  position_ = number_ = 0;
  if (why)
    last_.edition = 0;
  else
    last_.fields = fields_ = count;
}

bool field_reader::next(field& out, failure& why) noexcept {
  why = {};
  // The first pass, by the constructor, does not know the number of fields yet.
  if (last_.edition == 0 || (fields_ != 0 && number_ == fields_)) return false;
  if (!(last_.edition == 1 ? next_of_edition_1(why) : next_of_edition_2(why))) {
    if (!why && fields_ != 0)  // fewer fields than the first pass has found: the bytes have changed
      why = make_failure(errc::section_order, last_.offset + position_, number_after(7), 8);
    return false;
  }
  last_.number = number_++;
  out = last_;
  return true;
}

// Adds the section of that number at `position_`, and moves behind it.
bool field_reader::take_section(unsigned number, std::size_t length, std::size_t min_length, failure& why) noexcept {
  const std::size_t left = last_.message.size() - end_bytes - position_;
  const std::uint64_t offset = last_.offset + position_;
  if (length > left) {
    why = make_failure(errc::section_too_long, offset, left, length);
  } else if (length < min_length) {
    why = make_failure(errc::section_too_short, offset, min_length, length);
  } else {
    last_.sections[number] = last_.message.subspan(position_, length);
    position_ += length;
  }
  return !why;
}

bool field_reader::next_of_edition_1(failure& why) noexcept {
  if (number_ != 0) return false;
  const byte_view message = last_.message;
  last_.sections = {};
  last_.sections[0] = message.first(8);
  position_ = 8;
  const unsigned flags = octet(message, 8 + 7);  // the header has a section 1
  constexpr std::array<std::size_t, 5> min_lengths = {8, 28, 6, 6, 11};
  for (unsigned number = 1; number <= 4; ++number) {
    if ((number == 2 && (flags & 0x80U) == 0) || (number == 3 && (flags & 0x40U) == 0)) continue;
    const std::size_t left = message.size() - end_bytes - position_;
    if (left < 3) {
      why = make_failure(errc::section_too_short, last_.offset + position_, min_lengths[number], left);
      return false;
    }
    std::size_t length = big_endian<3>(message, position_);
    if (number == 4 && has_coded_length(message, length)) length = left;
    if (!take_section(number, length, min_lengths[number], why)) return false;
  }
  const std::size_t left = message.size() - end_bytes - position_;
  if (left != 0) {
    why = make_failure(errc::unclaimed_bytes, last_.offset + position_, 0, left);
    return false;
  }
  last_.sections[5] = message.subspan(position_);
  last_.bitmap_section = last_.sections[3];
  return true;
}

bool field_reader::next_of_edition_2(failure& why) noexcept {
  const byte_view message = last_.message;
  const bool is_first = number_ == 0;
  if (is_first) {
    last_.sections = {};
    last_.sections[0] = message.first(16);
    last_.sections[8] = message.last(end_bytes);
    position_ = 16;
  }
  last_.first_section = 0;
  unsigned number = is_first ? 0 : 7;
  do {
    const std::size_t left = message.size() - end_bytes - position_;
    const std::uint64_t offset = last_.offset + position_;
    if (left == 0) {
      if (number == 7 && last_.first_section == 0 && !is_first) return false;  // the end, where it may be
      why = make_failure(errc::section_order, offset, number_after(number), 8);
      return false;
    }
    if (left < 5) {
      why = make_failure(errc::unclaimed_bytes, offset, 0, left);
      return false;
    }
    const std::size_t length = big_endian<4>(message, position_);
    const unsigned next = octet(message, position_ + 4);
    if (!may_follow(next, number)) {
      why = make_failure(errc::section_order, offset, number_after(number), next);
      return false;
    }
    if (!take_section(next, length, min_lengths_2[next], why)) return false;
    if (number == 7) last_.first_section = next;
    number = next;
  } while (number != 7);

  const unsigned indicator = octet(last_.sections[6], 5);
  if (indicator < 254) earlier_bitmap_ = last_.sections[6];
  last_.bitmap_section = indicator == 255 ? byte_view{} : earlier_bitmap_;
  if (indicator == 254 && earlier_bitmap_.empty()) {
    why = make_failure(errc::no_bitmap,
                       last_.offset + static_cast<std::size_t>(last_.sections[6].data() - message.data()), 0, 0);
    return false;
  }
  return true;
}

}  // namespace tgmap::bridge::grib
