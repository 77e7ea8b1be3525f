// SPDX-License-Identifier: Apache-2.0
#include "write/message_encoder.hpp"

#include <algorithm>
#include <utility>

#include "wire/postamble.hpp"
#include "wire/preamble.hpp"
#include "write/frame_bytes.hpp"
#include "write/metadata_map.hpp"

namespace tgmap::write {

namespace {

failure about(std::size_t object, failure why) noexcept {
  if (why && !why.object) why.object = object;
  return why;
}

const cbor_value& base_of(const std::variant<new_object, stored_object>& of) noexcept {
  return std::visit([](const auto& one) -> const cbor_value& { return one.base; }, of);
}

}  // namespace

message_encoder::message_encoder(const write_options& options)
    : options_(options),
      how_{.version = options.version, .hashes = options.hashes},
      who_(options.provenance, options.version) {}

failure message_encoder::prepare(const new_message& what, std::uint64_t start) {
  if (failure why = check_keys(what.extra, around_extra)) return why;
  who_.keep(nullptr);
  if (what.provenance) {
    if (failure why = check_map(*what.provenance, around_extra)) return why;
    who_.keep(&*what.provenance);
  }
  bool alike = std::exchange(laid_out_, false);
  if (failure why = prepare_objects(what, alike)) return why;
  const std::size_t metadata_end = header_.size();
  header_.resize(wire::preamble_size);
  put_frame(header_, wire::header_metadata_frame, how_,
            [&] { put_metadata(entries_, count_, what.extra, options_.version, &who_, header_); });
  alike = alike && header_.size() == metadata_end && options_.payload_alignment <= least_alignment;
  if (!alike) lay_out(start);
  put_header_lists(alike);
  if (!alike || lists_digests(index_placement::footer)) put_footer();
  gather();
  laid_out_ = true;
  return {};
}

/// Leaves `alike` set if the frames are as long as those of the message before.
failure message_encoder::prepare_objects(const new_message& what, bool& alike) {
  count_ = 0;
  entries_.clear();
  alike = alike && list_.size() == what.objects.size();
  if (!alike) list_.assign(what.objects.size(), {});
  for (const auto& each : what.objects) {
    if (count_ == frames_.size()) frames_.push_back(std::make_unique<object_frame>());
    if (failure why = prepare_frame(each, *frames_[count_])) return about(count_, why);
    const frame_facts& now = frames_[count_]->facts();
    listed_object& listed = list_[count_];
    alike = alike && listed.length == now.length && listed.digest.has_value() == now.digest.has_value();
    listed.length = now.length;
    listed.digest = now.digest;
    ++count_;
  }
  return {};
}

failure message_encoder::prepare_frame(const std::variant<new_object, stored_object>& of, object_frame& to) {
  const cbor_value& base = base_of(of);
  cbor::key_place place;
  if (failure why = check_keys(base, around_base, place)) return why;
  if (count_ != 0)
    if (failure why = frames_[count_ - 1]->keep()) return why;
  if (failure why = std::visit([&](const auto& one) { return to.prepare(one, how_, who_, tools_); }, of)) return why;
  put_base_entry(base, place, to.tensor(), entries_);
  return {};
}

/// Sets the offset of each object behind a header of that size, and where the last one ends.
void message_encoder::place_objects(std::uint64_t header, std::uint64_t start) {
  // What is aligned in the file needs a message that begins at a multiple of 8 there.
  const bool in_file = start % least_alignment == 0;
  std::uint64_t at = header;
  for (listed_object& one : list_) {
    at = wire::align8(at);
    if (options_.payload_alignment > least_alignment) {
      const std::uint64_t payload = (in_file ? start : 0) + at + wire::frame_header_size;
      at += (options_.payload_alignment - payload % options_.payload_alignment) % options_.payload_alignment;
    }
    one.offset = at;
    at += one.length;
  }
  // As the reference has it: version 2 leaves the last object without padding.
  const bool padded = options_.version != 2 || options_.payload_alignment > least_alignment;
  objects_end_ = padded || list_.empty() ? wire::align8(at) : at;
}

/// The header holds the places of the objects behind it, and is the longer the larger these numbers are (§3.3). Sizes
/// only grow from one round to the next, up to 9 bytes a number: this ends.
void message_encoder::lay_out(std::uint64_t start) {
  for (listed_object& one : list_) one.offset = 0;
  std::uint64_t fixed = header_.size();  // preamble and metadata
  if (lists_digests(index_placement::header))
    fixed += frame_room(hash_list_size(list_, options_.version), wire::header_hash_frame, options_.version);
  if (list_.empty() || options_.index != index_placement::header) return place_objects(fixed, start);

  for (std::uint64_t body = index_size(list_, options_.version);;) {
    place_objects(fixed + frame_room(body, wire::header_index_frame, options_.version), start);
    const std::uint64_t now = index_size(list_, options_.version);
    if (now <= body) return;
    body = now;
  }
}

bool message_encoder::lists_digests(index_placement where) const noexcept {
  return options_.hashes && options_.hash_list == where && has_digests(list_, options_.version);
}

std::uint16_t message_encoder::flags() const noexcept {
  const auto placed = [](index_placement at, unsigned header, unsigned footer) {
    return at == index_placement::header ? header : at == index_placement::footer ? footer : 0U;
  };
  unsigned out = wire::header_metadata_flag;
  if (!list_.empty()) out |= placed(options_.index, wire::header_index_flag, wire::footer_index_flag);
  if (lists_digests(options_.hash_list))
    out |= placed(options_.hash_list, wire::header_hashes_flag, wire::footer_hashes_flag);
  // It promises the digest of every object; frames that lie in archives may have none.
  const bool all = std::all_of(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count_),
                               [](const auto& frame) { return frame->facts().digest.has_value(); });
  if (options_.version != 2 && all && (options_.hashes || count_ != 0)) out |= wire::hashes_present_flag;
  return static_cast<std::uint16_t>(out);
}

/// What stands between the metadata and the objects. Of a message like the one before only the hashes are others.
void message_encoder::put_header_lists(bool alike) {
  if (alike) {
    header_lists_.resize(hash_list_at_);
  } else {
    header_lists_.clear();
    if (!list_.empty() && options_.index == index_placement::header)
      put_frame(header_lists_, wire::header_index_frame, how_,
                [&] { put_index(list_, options_.version, header_lists_); });
    hash_list_at_ = header_lists_.size();
  }
  if (lists_digests(index_placement::header))
    put_frame(header_lists_, wire::header_hash_frame, how_,
              [&] { put_hash_list(list_, options_.version, header_lists_); });
}

void message_encoder::put_footer() {
  const auto version = static_cast<unsigned>(options_.version);
  footer_.clear();
  if (lists_digests(index_placement::footer))
    put_frame(footer_, wire::footer_hash_frame, how_, [&] { put_hash_list(list_, options_.version, footer_); });
  if (!list_.empty() && options_.index == index_placement::footer)
    put_frame(footer_, wire::footer_index_frame, how_, [&] { put_index(list_, options_.version, footer_); });
  if (!footer_.empty()) objects_end_ = wire::align8(objects_end_);

  const std::size_t at = footer_.size();
  footer_.resize(at + wire::postamble_size(version));
  length_ = objects_end_ + footer_.size();
  wire::put_postamble(footer_.data() + at, {.first_footer_offset = objects_end_, .total_length = length_}, version);
  wire::put_preamble(header_.data(),
                     {.version = static_cast<std::uint16_t>(version), .flags = flags(), .total_length = length_});
}

/// Where nothing has been put out yet, there may be no memory for it.
void message_encoder::gather() {
  out_.clear();
  out_.add(header_);
  out_.add(header_lists_);
  std::uint64_t at = header_.size() + header_lists_.size();
  for (std::size_t j = 0; j < count_; ++j) {
    out_.add_zeros(list_[j].offset - at);
    frames_[j]->put(out_);
    at = list_[j].offset + list_[j].length;
  }
  out_.add_zeros(objects_end_ - at);
  out_.add(footer_);
  out_.complete();
}

failure message_encoder::put(sink& to) {
  failure why = out_.put(to);
  tools_.encoder.trim();
  for (std::size_t j = 0; j < count_; ++j) frames_[j]->trim();
  return why;
}

}  // namespace tgmap::write
