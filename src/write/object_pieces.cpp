// SPDX-License-Identifier: Apache-2.0
#include "write/object_pieces.hpp"

#include <algorithm>
#include <array>

#include "codec/packing/unpack.hpp"
#include "encode/object_plan.hpp"
#include "wire/frame.hpp"
#include "write/descriptor_map.hpp"

namespace tgmap::write {

namespace {

// Of so many elements whatever number of bits comes to whole bytes.
constexpr std::size_t elements_a_group = 8;

// Beside which everything else of a message still has room in what readers count with.
constexpr std::uint64_t most_region = std::uint64_t{1} << 59;

constexpr std::size_t elements_a_block = std::size_t{1} << 14;

failure check_pieces(const new_object& what) noexcept {
  const pipeline& how = what.pipeline;
  const bool packed = how.encoding == encoding::simple_packing;
  const bool open = packed && (!how.packing.reference || !how.packing.binary_scale || how.packing.max_error);
  const bool masks = how.missing.allow_nan || how.missing.allow_infinity;
  const bool whole = how.filter != filter::none || how.compression != compression::none || masks || open ||
                     !what.strides.empty() || what.dtype == dtype::bitmask;
  return whole ? failure{.code = errc::not_streamable} : validate_pipeline(how, what.dtype);
}

}  // namespace

failure object_pieces::prepare(const new_object& what, const frame_options& how) {
  if (failure why = check_pieces(what)) return why;
  if (what.shape.size() > max_rank)
    return {.code = errc::too_many_dimensions, .expected = max_rank, .found = what.shape.size()};
  const auto elements = encode::element_count(what.shape);
  if (!elements) return {.code = errc::shape_overflow};
  const auto bytes = size_bytes(what.dtype, *elements);
  const bool packed = what.pipeline.encoding == encoding::simple_packing;
  const auto region = packed ? codec::packed_size(*elements, what.pipeline.packing.bits) : bytes;
  if (!bytes || !region || *region > most_region) return {.code = errc::shape_overflow};

  how_ = how;
  block_ = what;
  facts_ = tensor_facts::dense(what.dtype, what.shape);
  carried_.clear();
  given_ = encoded_bytes_ = 0;
  needed_ = *bytes;
  region_ = *region;

  // One encoding of nothing tells what the descriptor says; its length does not depend on the digest in it.
  block_.data = {};
  block_.shape = {0};
  if (failure why = encoder_.encode(block_, how.version, encoded_)) return why;
  digest_value_ = how.hashes ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (failure why = put_descriptor_again()) return why;
  const auto version = static_cast<unsigned>(how.version);
  length_ =
      wire::frame_header_size + region_ + descriptor_.size() + wire::tail_size(wire::object_type(version), version);
  return {};
}

failure object_pieces::begin(sink& to) noexcept {
  const auto version = static_cast<unsigned>(how_.version);
  std::array<std::byte, wire::frame_header_size> header;
  const auto flags = wire::cbor_after_payload_flag | (how_.hashes && version != 2 ? wire::hash_present_flag : 0);
  wire::put_frame_header(header.data(), {.type = wire::object_type(version),
                                         .version = 1,
                                         .flags = static_cast<std::uint16_t>(flags),
                                         .length = length_});
  digest_.begin();
  return to.write(header);
}

failure object_pieces::put_descriptor_again() {
  descriptor_.clear();
  const auto stated = how_.version == 2 ? digest_value_ : std::nullopt;
  return put_descriptor(block_, encoded_, facts_, how_.version, stated, keys_, descriptor_);
}

failure object_pieces::append(std::span<const std::byte> elements, sink& to) {
  const std::size_t size = element_size(block_.dtype), group = size * elements_a_group;
  if (elements.size() % size != 0 || elements.size() > needed_ - given_)
    return {.code = errc::payload_size_mismatch, .expected = needed_, .found = given_ + elements.size()};
  given_ += elements.size();

  if (!carried_.empty()) {
    const auto more = std::min(elements.size(), group - carried_.size());
    carried_.insert(carried_.end(), elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(more));
    elements = elements.subspan(more);
    if (carried_.size() < group && given_ < needed_) return {};
    if (failure why = encode_block(carried_, to)) return why;
    carried_.clear();
  }
  const std::size_t block = size * elements_a_block;
  while (elements.size() >= group || (given_ == needed_ && !elements.empty())) {
    auto now = std::min(elements.size(), block);
    if (given_ < needed_ || now < elements.size()) now -= now % group;
    if (failure why = encode_block(elements.first(now), to)) return why;
    elements = elements.subspan(now);
  }
  carried_.assign(elements.begin(), elements.end());
  return {};
}

failure object_pieces::encode_block(std::span<const std::byte> elements, sink& to) {
  block_.data = elements;
  block_.shape = {elements.size() / element_size(block_.dtype)};
  failure why = encoder_.encode(block_, how_.version, encoded_);
  if (!why && encoded_.unchecked)
    if (const auto bad = encode::find_non_finite(encoded_.payload, block_.dtype, encoded_.order))
      why = {.code = errc::non_finite, .found = *bad};
  if (why.code == errc::non_finite || why.code == errc::not_representable)
    why.found += encoded_bytes_ / element_size(block_.dtype);
  if (why) return why;
  encoded_bytes_ += elements.size();
  if (how_.hashes) digest_.add(encoded_.payload);
  return to.write(encoded_.payload);
}

failure object_pieces::end(sink& to) {
  if (given_ != needed_) return {.code = errc::payload_size_mismatch, .expected = needed_, .found = given_};
  if (how_.hashes && how_.version == 2) {
    digest_value_ = digest_.value();
    if (failure why = put_descriptor_again()) return why;
  } else if (how_.hashes) {
    digest_.add(descriptor_);
    digest_value_ = digest_.value();
  }
  const auto version = static_cast<unsigned>(how_.version);
  const std::uint16_t type = wire::object_type(version);
  std::array<std::byte, wire::largest_frame_tail> tail;
  wire::put_frame_tail(
      tail.data(),
      {.cbor_offset = wire::frame_header_size + region_, .hash = version == 2 ? 0 : digest_value_.value_or(0)}, type,
      version);
  const std::array<std::span<const std::byte>, 2> pieces{descriptor_,
                                                         std::span(tail).first(wire::tail_size(type, version))};
  return to.write(pieces);
}

}  // namespace tgmap::write
