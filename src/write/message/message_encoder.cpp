// SPDX-License-Identifier: Apache-2.0
#include "write/message/message_encoder.hpp"

#include <algorithm>
#include <utility>

#include "wire/postamble.hpp"
#include "wire/preamble.hpp"
#include "write/checks.hpp"

namespace tgmap::write {

namespace {

failure at_object(std::size_t number, failure why) noexcept {
  if (why && !why.object) why.object = number;
  return why;
}

bool includes(index_placement placement, index_placement place) noexcept {
  return placement == place || (placement == index_placement::both && place != index_placement::none);
}

const cbor_value& base_of(const std::variant<new_object, stored_object>& object) noexcept {
  return std::visit([](const auto& one) -> const cbor_value& { return one.base; }, object);
}

}  // namespace

message_encoder::message_encoder(const write_options& options)
    : options_(options),
      frame_options_{.version = options.version, .hashes = options.hashes},
      provenance_(options.provenance, options.version) {}

failure message_encoder::prepare(const new_message& content, std::uint64_t start) {
  if (failure why = check_keys(content.extra, extra_depth)) return why;
  provenance_.use_stored(nullptr);
  if (content.provenance) {
    if (failure why = check_map(*content.provenance, extra_depth)) return why;
    provenance_.use_stored(&*content.provenance);
  }
  bool same_layout = std::exchange(has_layout_, false);
  if (failure why = prepare_objects(content, same_layout)) return why;
  const std::size_t last_header_size = header_.size();
  header_.resize(wire::preamble_size);
  append_frame(header_, wire::header_metadata_frame, frame_options_,
               [&] { append_metadata(entries_, count_, content.extra, options_.version, &provenance_, header_); });
  same_layout = same_layout && header_.size() == last_header_size && options_.payload_alignment <= min_alignment;
  if (!same_layout) lay_out(start);
  encode_header_lists(same_layout);
  if (!same_layout || writes_hash_list(index_placement::footer)) encode_footer();
  collect_output();
  has_layout_ = true;
  return {};
}

/// Prepares the frames of all objects. Leaves `same_layout` set if they are as long as those of the last message.
failure message_encoder::prepare_objects(const new_message& content, bool& same_layout) {
  count_ = 0;
  entries_.clear();
  same_layout = same_layout && list_.size() == content.objects.size();
  if (!same_layout) list_.assign(content.objects.size(), {});
  for (const auto& each : content.objects) {
    if (count_ == frames_.size()) frames_.push_back(std::make_unique<object_frame>());
    if (failure why = prepare_frame(each, *frames_[count_])) return at_object(count_, why);
    const object_frame_info& frame = frames_[count_]->info();
    listed_object& listed = list_[count_];
    same_layout = same_layout && listed.length == frame.length && listed.hash.has_value() == frame.hash.has_value();
    listed.length = frame.length;
    listed.hash = frame.hash;
    ++count_;
  }
  return {};
}

failure message_encoder::prepare_frame(const std::variant<new_object, stored_object>& object, object_frame& frame) {
  const cbor_value& base = base_of(object);
  cbor::key_place reserved;
  if (failure why = check_keys(base, base_depth, reserved)) return why;
  if (count_ != 0)
    if (failure why = frames_[count_ - 1]->keep_payload()) return why;
  const auto prepare = [&](const auto& one) { return frame.prepare(one, frame_options_, provenance_, tools_); };
  if (failure why = std::visit(prepare, object)) return why;
  append_base_entry(base, reserved, frame.tensor(), entries_);
  return {};
}

/// Sets the offset of each object after a header of that size, and the end of the last one.
void message_encoder::place_objects(std::uint64_t header_size, std::uint64_t start) {
  // Payloads can be aligned in the file only if the message begins at a multiple of 8 there.
  const std::uint64_t origin = start % min_alignment == 0 ? start : 0;
  const std::uint64_t alignment = options_.payload_alignment;
  std::uint64_t end = header_size;
  for (listed_object& one : list_) {
    one.offset = wire::align8(end);
    if (alignment > min_alignment) {
      const std::uint64_t payload = origin + one.offset + wire::frame_header_size;
      one.offset += (alignment - payload % alignment) % alignment;
    }
    end = one.offset + one.length;
  }
  // The reference implementation does not pad the last object in version 2.
  const bool is_padded = options_.version != 2 || alignment > min_alignment;
  objects_end_ = is_padded || list_.empty() ? wire::align8(end) : end;
}

/// Computes the offsets of all objects. The header holds these offsets, and larger ones make it longer (§3.3). The loop
/// ends, because sizes only grow from one round to the next, up to 9 bytes for each number.
void message_encoder::lay_out(std::uint64_t start) {
  for (listed_object& one : list_) one.offset = 0;
  std::uint64_t fixed_size = header_.size();  // preamble and metadata
  if (writes_hash_list(index_placement::header))
    fixed_size += padded_frame_size(hash_list_size(list_, options_.version), wire::header_hash_frame, options_.version);
  if (!writes_index(index_placement::header)) return place_objects(fixed_size, start);

  for (std::uint64_t body_size = index_size(list_, options_.version);;) {
    place_objects(fixed_size + padded_frame_size(body_size, wire::header_index_frame, options_.version), start);
    const std::uint64_t needed = index_size(list_, options_.version);
    if (needed <= body_size) return;
    body_size = needed;
  }
}

bool message_encoder::writes_index(index_placement place) const noexcept {
  return includes(options_.index, place) && !list_.empty();
}

bool message_encoder::writes_hash_list(index_placement place) const noexcept {
  return options_.hashes && includes(options_.hash_list, place) && has_hashes(list_, options_.version);
}

std::uint16_t message_encoder::flags() const noexcept {
  unsigned out = wire::header_metadata_flag;
  if (writes_index(index_placement::header)) out |= wire::header_index_flag;
  if (writes_index(index_placement::footer)) out |= wire::footer_index_flag;
  if (writes_hash_list(index_placement::header)) out |= wire::header_hashes_flag;
  if (writes_hash_list(index_placement::footer)) out |= wire::footer_hashes_flag;
  // This flag promises a hash of every object, and frames of archives may have none.
  const bool all_hashed = std::all_of(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count_),
                                      [](const auto& frame) { return frame->info().hash.has_value(); });
  if (options_.version != 2 && all_hashed && (options_.hashes || count_ != 0)) out |= wire::hashes_present_flag;
  return static_cast<std::uint16_t>(out);
}

/// Encodes the frames between metadata and objects. If the layout is that of the last message, only hashes differ.
void message_encoder::encode_header_lists(bool same_layout) {
  if (same_layout) {
    header_lists_.resize(hash_list_begin_);
  } else {
    header_lists_.clear();
    if (writes_index(index_placement::header))
      append_frame(header_lists_, wire::header_index_frame, frame_options_,
                   [&] { append_index(list_, options_.version, header_lists_); });
    hash_list_begin_ = header_lists_.size();
  }
  if (writes_hash_list(index_placement::header))
    append_frame(header_lists_, wire::header_hash_frame, frame_options_,
                 [&] { append_hash_list(list_, options_.version, header_lists_); });
}

void message_encoder::encode_footer() {
  const auto version = static_cast<unsigned>(options_.version);
  footer_.clear();
  if (writes_hash_list(index_placement::footer))
    append_frame(footer_, wire::footer_hash_frame, frame_options_,
                 [&] { append_hash_list(list_, options_.version, footer_); });
  if (writes_index(index_placement::footer))
    append_frame(footer_, wire::footer_index_frame, frame_options_,
                 [&] { append_index(list_, options_.version, footer_); });
  if (!footer_.empty()) objects_end_ = wire::align8(objects_end_);

  const std::size_t postamble = footer_.size();
  footer_.resize(postamble + wire::postamble_size(version));
  length_ = objects_end_ + footer_.size();
  wire::put_postamble(footer_.data() + postamble, {.first_footer_offset = objects_end_, .total_length = length_},
                      version);
  wire::put_preamble(header_.data(),
                     {.version = static_cast<std::uint16_t>(version), .flags = flags(), .total_length = length_});
}

/// Fills the queue and allocates what it needs, while running out of memory still leaves the sink unchanged.
void message_encoder::collect_output() {
  output_.clear();
  output_.add(header_);
  output_.add(header_lists_);
  std::uint64_t end = header_.size() + header_lists_.size();
  for (std::size_t j = 0; j < count_; ++j) {
    output_.add_zeros(list_[j].offset - end);
    frames_[j]->add_to(output_);
    end = list_[j].offset + list_[j].length;
  }
  output_.add_zeros(objects_end_ - end);
  output_.add(footer_);
  output_.reserve();
}

failure message_encoder::write_to(sink& sink) {
  failure why = output_.write_to(sink);
  tools_.encoder.trim();
  for (std::size_t j = 0; j < count_; ++j) frames_[j]->trim();
  return why;
}

}  // namespace tgmap::write
