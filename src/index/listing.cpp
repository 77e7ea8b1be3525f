// SPDX-License-Identifier: Apache-2.0
#include "index/listing.hpp"

#include <algorithm>
#include <array>
#include <tgmap/write/cbor_value.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/find_objects.hpp"
#include "index_file/samples.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

using index_file::listed_message;
using index_file::listed_object;

/// Messages between two reports of progress.
constexpr std::uint64_t messages_per_report = 4096;

/// Appends a number in a form that only compares with itself.
void append_number(std::string& to, std::uint64_t number) {
  to.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Returns all that distinguishes layouts, quickly. Only equal layouts have equal keys.
void layout_key(const descriptor& d, std::string& key) {
  key.clear();
  append_number(key, static_cast<std::uint64_t>(d.dtype) | static_cast<std::uint64_t>(d.byte_order) << 8 |
                         d.mask_count << 16 | d.rank() << 32);
  for (const short_name* name : {&d.encoding_name, &d.filter_name, &d.compression_name}) {
    append_number(key, name->view().size());
    key += name->view();
  }
  for (const std::uint64_t extent : d.shape()) append_number(key, extent);
  for (const auto stride : d.strides()) append_number(key, static_cast<std::uint64_t>(stride));
}

cbor_value text(std::string_view from) { return cbor_value(from); }

/// Returns the item of a layout, as docs/index_format.md describes it.
cbor_value layout_item(const descriptor& d, bool in_place) {
  std::vector<cbor_value> strides;
  for (const auto each : d.strides()) strides.emplace_back(each);
  return cbor_value::map({{"dtype", text(to_string_view(d.dtype))},
                          {"byte_order", text(to_string_view(d.byte_order))},
                          {"encoding", text(d.encoding_name.view())},
                          {"filter", text(d.filter_name.view())},
                          {"compression", text(d.compression_name.view())},
                          {"masks", cbor_value(std::uint64_t{d.mask_count})},
                          {"shape", cbor_value::array(d.shape())},
                          {"strides", cbor_value::array(strides)},
                          {"in_place", cbor_value(in_place)}});
}

/// Checks that the bytes are the elements: nothing needs to be undone on a machine of the stored byte order.
bool is_in_place(const descriptor& d, std::uint64_t payload_length) noexcept {
  const auto needed = size_bytes(d.dtype, d.element_count);
  std::array<std::int64_t, max_rank> dense;
  return d.encoding == encoding::none && d.filter == filter::none && d.compression == compression::none &&
         d.mask_count == 0 && needed && *needed == payload_length &&
         dense_strides(d.shape(), d.strides(), std::span(dense).first(d.rank()));
}

/// Makes the record of a gap. Returns false if its failure has more than a record can hold.
bool make_record(const gap& from, std::uint64_t messages_before, index_file::listed_gap& out) {
  const failure& why = from.cause;
  out = {.begin = from.begin,
         .end = from.end,
         .messages_before = messages_before,
         .offset = why.offset,
         .expected = why.expected,
         .found = why.found,
         .code = static_cast<std::uint32_t>(why.code.value()),
         .names_message = why.message.has_value()};
  return why.code.category() == category() && !why.object.has_value() && why.argument == nullptr &&
         (!why.message || (messages_before > 0 && *why.message == messages_before - 1));
}

}  // namespace

std::uint64_t listing::covered_end(const archive& of) {
  std::uint64_t end = of.size_bytes();
  if (const auto tail = of.incomplete_tail()) end = tail->begin;
  // Damage at the end may be the beginning of a message that is still being written.
  if (const auto gaps = of.gaps(); !gaps.empty() && gaps.back().end == of.size_bytes()) end = gaps.back().begin;
  if (const std::size_t count = of.size(); count > 0)
    if (const message last = of[count - 1]; last.is_incomplete()) end = std::min(end, last.offset());
  return end;
}

/// Adds a message and its objects. Objects that cannot be read are not listed: reading them says what is wrong.
failure listing::add_message(const message& m, index_summary& done) {
  const archive_state& state = *access::state(m);
  listed_message record{.offset = m.offset(),
                        .length = m.length(),
                        .version = m.position().version(),
                        .is_streamed = m.is_streamed(),
                        .is_incomplete = m.is_incomplete(),
                        .has_unlisted_objects = true,
                        .first_object = done.objects};
  objects_.clear();
  io::window window(state.bytes(), locality_of(m.position()));
  message_structure structure;
  object_sink found;
  const failure unread = find_objects(state, window, m.position(), structure, found);
  const auto places = unread ? nullptr : found.take_record(true);
  if (!unread && found.count() == 0) record.has_unlisted_objects = false;
  if (places && places->preceders.empty() && found.count() <= listed_message::max_objects) {
    record.has_unlisted_objects = false;
    for (std::size_t j = 0; j < places->objects.size() && !record.has_unlisted_objects; ++j)
      if (!add_object(m, window, places->place(j))) record.has_unlisted_objects = true;
  }
  if (record.has_unlisted_objects) objects_.clear();
  record.objects = objects_.size();
  if (failure why = to_->add(record)) return why;
  for (const pending_object& each : objects_) {
    listed_object object = each.record;
    const auto [at, is_new] = layouts_.try_emplace(each.layout_key, static_cast<std::uint32_t>(layouts_.size()));
    object.layout = at->second;
    if (is_new)
      if (failure why = to_->add_layout(each.layout_item)) return why;
    if (failure why = to_->add(object)) return why;
  }
  ++done.messages;
  done.objects += objects_.size();
  done.layouts = layouts_.size();
  return {};
}

bool listing::add_object(const message& m, io::window& window, const object_place& place) {
  object_parts parts;
  if (read_object_parts(*access::state(m), window, m.position(), place, parts)) return false;
  const object found = access::make_object(*access::state(m), m.position(), objects_.size(), parts);
  failure why;
  const descriptor d = found.descriptor(why);
  if (why || parts.descriptor_length > UINT32_MAX) return false;
  pending_object& out = objects_.emplace_back();
  out.record = {.offset = parts.offset,
                .length = parts.length,
                .payload_length = parts.payload_length,
                .descriptor_length = static_cast<std::uint32_t>(parts.descriptor_length)};
  const bool in_place = is_in_place(d, parts.payload_length);
  layout_key(d, out.layout_key);
  out.layout_key += in_place ? '1' : '0';
  if (layouts_.contains(out.layout_key)) return true;
  const cbor_value item = layout_item(d, in_place);
  out.layout_item.assign(item.encoded().begin(), item.encoded().end());
  return true;
}

failure listing::add_gaps(std::uint64_t covered, index_summary& done) {
  const std::size_t count = archive_->size();
  std::size_t before = 0;
  for (const gap& each : archive_->gaps()) {
    if (each.end > covered || each.begin >= covered) break;
    while (before < count && (*archive_)[before].offset() < each.begin) ++before;
    index_file::listed_gap record;
    if (!make_record(each, before, record)) return {.code = errc::index_mismatch, .offset = each.begin};
    if (failure why = to_->add(record)) return why;
    ++done.gaps;
  }
  return {};
}

std::vector<std::uint64_t> listing::samples(std::uint64_t covered, std::uint64_t seed, failure& why) const {
  std::vector<std::uint64_t> out;
  std::array<std::byte, index_file::sample_size> bytes;
  for (std::uint64_t i = 0; i < index_file::sample_count(covered) && !why; ++i) {
    const auto range = index_file::sample_at(seed, i, covered);
    const auto sample = std::span(bytes).first(range.size);
    archive_->read(range.offset, sample, why);
    out.push_back(index_file::sample_digest(sample));
  }
  return out;
}

failure listing::run(std::uint64_t covered, std::uint64_t seed, const index_options& options, index_summary& done) {
  done.covered_bytes = covered;
  failure why;
  const auto before = samples(covered, seed, why);
  if (why) return why;
  for (const message& m : *archive_) {
    if (m.offset() >= covered) break;
    if (m.length() > covered - m.offset())
      return {
          .code = errc::index_mismatch, .offset = m.offset(), .expected = covered, .found = m.offset() + m.length()};
    if (failure why = add_message(m, done)) return why;
    if (done.messages % messages_per_report != 0) continue;
    done.stopped = options.stop.stop_requested();
    if (done.stopped) return {};
    if (options.progress) options.progress(m.offset() + m.length());
  }
  why = add_gaps(covered, done);
  const auto after = why ? before : samples(covered, seed, why);
  if (!why && after != before)
    why = {.code = errc::archive_changed, .expected = archive_->size_bytes(), .found = archive_->size_bytes()};
  for (std::size_t i = 0; i < after.size() && !why; ++i) why = to_->add_sample(after[i]);
  return why;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
