// SPDX-License-Identifier: Apache-2.0
#include "write/stream/object_stream.hpp"

#include <algorithm>
#include <array>

#include "codec/packing/unpack.hpp"
#include "encode/object_plan.hpp"
#include "wire/frame.hpp"
#include "write/frame/descriptor_encoder.hpp"

namespace tgmap::write {

namespace {

// Packed elements of any number of bits fill whole bytes in groups of eight.
constexpr std::size_t elements_per_group = 8;
constexpr std::size_t elements_per_block = std::size_t{1} << 14;

// Keeps the length of the whole message within 64 bits.
constexpr std::uint64_t max_payload_size = std::uint64_t{1} << 59;

/// Checks that the pipeline encodes each element by itself.
failure check_streamable(const new_object& object) noexcept {
  const pipeline& pipeline = object.pipeline;
  const auto& packing = pipeline.packing;
  const bool is_packed = pipeline.encoding == encoding::simple_packing;
  const bool needs_range = is_packed && (!packing.reference || !packing.binary_scale || packing.max_error);
  const bool has_masks = pipeline.missing.allow_nan || pipeline.missing.allow_infinity;
  const bool needs_all_elements = pipeline.filter != filter::none || pipeline.compression != compression::none ||
                                  has_masks || needs_range || !object.strides.empty() || object.dtype == dtype::bitmask;
  return needs_all_elements ? failure{.code = errc::not_streamable} : validate_pipeline(pipeline, object.dtype);
}

}  // namespace

failure object_stream::prepare(const new_object& object, const frame_options& options) {
  if (failure why = check_streamable(object)) return why;
  if (object.shape.size() > max_rank)
    return {.code = errc::too_many_dimensions, .expected = max_rank, .found = object.shape.size()};
  const auto elements = encode::element_count(object.shape);
  if (!elements) return {.code = errc::shape_overflow};
  const auto bytes = size_bytes(object.dtype, *elements);
  const bool is_packed = object.pipeline.encoding == encoding::simple_packing;
  const auto payload_size = is_packed ? codec::packed_size(*elements, object.pipeline.packing.bits) : bytes;
  if (!bytes || !payload_size || *payload_size > max_payload_size) return {.code = errc::shape_overflow};

  options_ = options;
  block_ = object;
  layout_ = tensor_layout::dense(object.dtype, object.shape);
  partial_group_.clear();
  received_bytes_ = encoded_bytes_ = 0;
  bytes_ = *bytes;
  payload_size_ = *payload_size;

  // Encoding no elements gives the parameters of the descriptor. Its length does not depend on the hash.
  block_.data = {};
  block_.shape = {0};
  if (failure why = encoder_.encode(block_, options.version, encoded_)) return why;
  hash_ = options.hashes ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (failure why = encode_descriptor()) return why;
  const auto version = static_cast<unsigned>(options.version);
  length_ = wire::frame_header_size + payload_size_ + descriptor_.size() +
            wire::tail_size(wire::object_type(version), version);
  return {};
}

failure object_stream::begin(sink& sink) noexcept {
  const auto version = static_cast<unsigned>(options_.version);
  std::array<std::byte, wire::frame_header_size> header;
  const auto flags = wire::cbor_after_payload_flag | (options_.hashes && version != 2 ? wire::hash_present_flag : 0);
  wire::put_frame_header(header.data(), {.type = wire::object_type(version),
                                         .version = 1,
                                         .flags = static_cast<std::uint16_t>(flags),
                                         .length = length_});
  hasher_.reset();
  return sink.write(header);
}

failure object_stream::encode_descriptor() {
  descriptor_.clear();
  const auto payload_hash = options_.version == 2 ? hash_ : std::nullopt;
  return append_descriptor(block_, encoded_, layout_, options_.version, payload_hash, keys_, descriptor_);
}

failure object_stream::append(std::span<const std::byte> elements, sink& sink) {
  const std::size_t size = element_size(block_.dtype), group = size * elements_per_group;
  if (elements.size() % size != 0 || elements.size() > bytes_ - received_bytes_)
    return {.code = errc::payload_size_mismatch, .expected = bytes_, .found = received_bytes_ + elements.size()};
  received_bytes_ += elements.size();
  const bool is_last = received_bytes_ == bytes_;

  if (!partial_group_.empty()) {
    const auto count = std::min(elements.size(), group - partial_group_.size());
    partial_group_.insert(partial_group_.end(), elements.begin(),
                          elements.begin() + static_cast<std::ptrdiff_t>(count));
    elements = elements.subspan(count);
    if (partial_group_.size() < group && !is_last) return {};
    if (failure why = write_block(partial_group_, sink)) return why;
    partial_group_.clear();
  }
  const std::size_t block = size * elements_per_block;
  while (elements.size() >= group || (is_last && !elements.empty())) {
    auto count = std::min(elements.size(), block);
    if (!is_last || count < elements.size()) count -= count % group;
    if (failure why = write_block(elements.first(count), sink)) return why;
    elements = elements.subspan(count);
  }
  partial_group_.assign(elements.begin(), elements.end());
  return {};
}

failure object_stream::write_block(std::span<const std::byte> elements, sink& sink) {
  block_.data = elements;
  block_.shape = {elements.size() / element_size(block_.dtype)};
  failure why = encoder_.encode(block_, options_.version, encoded_);
  if (!why && encoded_.unchecked)
    if (const auto bad = encode::find_non_finite(encoded_.payload, block_.dtype, encoded_.order))
      why = {.code = errc::non_finite, .found = *bad};
  if (why.code == errc::non_finite || why.code == errc::not_representable)
    why.found += encoded_bytes_ / element_size(block_.dtype);
  if (why) return why;
  encoded_bytes_ += elements.size();
  if (options_.hashes) hasher_.add(encoded_.payload);
  return sink.write(encoded_.payload);
}

failure object_stream::end(sink& sink) {
  if (received_bytes_ != bytes_)
    return {.code = errc::payload_size_mismatch, .expected = bytes_, .found = received_bytes_};
  if (options_.hashes && options_.version == 2) {
    hash_ = hasher_.value();
    if (failure why = encode_descriptor()) return why;
  } else if (options_.hashes) {
    hasher_.add(descriptor_);
    hash_ = hasher_.value();
  }
  const auto version = static_cast<unsigned>(options_.version);
  const std::uint16_t type = wire::object_type(version);
  std::array<std::byte, wire::largest_frame_tail> tail;
  wire::put_frame_tail(
      tail.data(),
      {.cbor_offset = wire::frame_header_size + payload_size_, .hash = version == 2 ? 0 : hash_.value_or(0)}, type,
      version);
  const std::array<std::span<const std::byte>, 2> pieces{descriptor_,
                                                         std::span(tail).first(wire::tail_size(type, version))};
  return sink.write(pieces);
}

}  // namespace tgmap::write
