// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/carry/message_builder.hpp"

#include <algorithm>
#include <new>

#include "bridge/grib/packing/byte_buffer.hpp"
#include "bridge/grib/sections/numbers.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge::grib {

namespace {

constexpr std::array<std::byte, 4> end_section{std::byte{'7'}, std::byte{'7'}, std::byte{'7'}, std::byte{'7'}};
constexpr std::size_t length_at = 8;  // in section 0 of GRIB 2

void set_length(std::span<std::byte> indicator, std::uint64_t length) noexcept {
  for (std::size_t i = 0; i < 8; ++i) indicator[length_at + i] = static_cast<std::byte>(length >> 8 * (7 - i));
}

std::vector<std::byte> joined(const std::vector<byte_view>& pieces) {
  std::vector<std::byte> out;
  std::size_t size = 0;
  for (const byte_view each : pieces) size += each.size();
  out.reserve(size);
  for (const byte_view each : pieces) append_bytes(out, each);
  return out;
}

}  // namespace

/// Makes a field a whole message: appends the end, and corrects the length in section 0 if it is another one.
std::uint64_t message_builder::complete(rebuilt_field& field) {
  field.sections.push_back(end_section);
  std::uint64_t length = 0;
  for (const byte_view each : field.sections) length += each.size();
  byte_view& indicator = field.sections.front();
  if (field.edition == 2 && big_endian<8>(indicator, length_at) != length) {
    std::copy(indicator.begin(), indicator.end(), indicator_.begin());
    set_length(indicator_, length);
    indicator = indicator_;
  }
  return length;
}

void message_builder::split_pending() {
  for (pending_field& each : pending_) ready_.push_back(std::move(each.message));
  split_fields_ += pending_.size();
  pending_.clear();
}

void message_builder::join_pending() {
  std::vector<std::byte> out = std::move(pending_.front().indicator);
  for (const pending_field& each : pending_) append_bytes(out, each.sections);
  append_bytes(out, end_section);
  set_length(out, out.size());
  ready_.push_back(std::move(out));
  pending_.clear();
}

namespace {

/// Returns a section of a field; empty if there is none.
byte_view section_of(const rebuilt_field& field, std::size_t number) noexcept {
  const auto found = std::find(field.section_numbers.begin(), field.section_numbers.end(), number);
  return found == field.section_numbers.end()
             ? byte_view{}
             : field.sections[static_cast<std::size_t>(found - field.section_numbers.begin())];
}

}  // namespace

/// Returns true if the field is the next one of the pending message: what it shares with the fields before must be what
/// these have. Fields of other messages may have the same number.
bool message_builder::continues_pending() const {
  if (field_.number != pending_.size()) return false;
  if (pending_.empty()) return true;
  if (field_.fields != pending_fields_) return false;
  for (std::size_t i = 0; i < shared_sections_.size(); ++i) {
    const bool is_own = i > 1 && i >= field_.first_section;
    if (!is_own && !std::ranges::equal(section_of(field_, i), shared_sections_[i])) return false;
  }
  return field_.bitmap_indicator != 254 || std::ranges::equal(field_.present, shared_bitmap_);
}

void message_builder::remember_shared() {
  for (std::size_t i = 0; i < shared_sections_.size(); ++i) {
    const byte_view section = section_of(field_, i);
    shared_sections_[i].assign(section.begin(), section.end());
  }
  if (pending_.empty()) shared_bitmap_.clear();
  if (field_.bitmap_indicator != 255) shared_bitmap_.assign(field_.present.begin(), field_.present.end());
}

/// Adds a field of a message of several.
void message_builder::add_part(const rebuilt_source& source, failure& why) {
  if (!continues_pending()) split_pending();
  pending_field now;
  const byte_view indicator = field_.sections.front();
  now.indicator.assign(indicator.begin(), indicator.end());
  const std::size_t first = field_.number == 0 ? 1 : field_.first_section;
  for (std::size_t i = 1; i < field_.sections.size(); ++i)
    if (field_.section_numbers[i] >= first) append_bytes(now.sections, field_.sections[i]);
  const std::size_t number = field_.number, fields = field_.fields;
  remember_shared();
  rebuilder_.rebuild_alone(source, field_, why);
  if (why) return split_pending();
  complete(field_);
  now.message = joined(field_.sections);
  pending_fields_ = fields;
  pending_.push_back(std::move(now));
  if (number + 1 != pending_.size()) return split_pending();  // an earlier field is missing
  if (pending_.size() == fields) join_pending();
}

void message_builder::add(const rebuilt_source& source, failure& why) try {
  why = {};
  has_field_ = false;
  rebuilder_.rebuild(source, field_, why);
  if (why) return split_pending();
  if (field_.fields > 1) return add_part(source, why);
  split_pending();
  complete(field_);
  has_field_ = true;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
}

void message_builder::finish() {
  has_field_ = false;
  split_pending();
}

bool message_builder::take(std::vector<byte_view>& pieces) {
  pieces.clear();
  if (!ready_.empty()) {
    taken_ = std::move(ready_.front());
    ready_.pop_front();
    pieces.push_back(taken_);
    return true;
  }
  if (!has_field_) return false;
  has_field_ = false;
  pieces = field_.sections;
  return true;
}

}  // namespace bridge::grib
}  // namespace v0
}  // namespace tgmap
