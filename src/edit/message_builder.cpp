// SPDX-License-Identifier: Apache-2.0
#include "edit/message_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace tgmap::edit {

message_builder::message_builder(sink& to, message_plan plan)
    : to_(to), plan_(std::move(plan)), writer_(to, plan_.layout) {}

namespace {

/// Replaces float32 elements by float64, which holds each of them. The order and the strides stay. Returns the memory
/// of the elements.
std::shared_ptr<const void> widen(new_object& object) {
  const std::size_t count = object.data.size() / sizeof(float);
  const auto wide = std::make_shared<std::vector<double>>(count);
  const bool swapped = object.byte_order != native_byte_order;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::byte, sizeof(float)> bytes{};
    std::memcpy(bytes.data(), object.data.data() + i * sizeof(float), sizeof(float));
    if (swapped) std::reverse(bytes.begin(), bytes.end());
    (*wide)[i] = static_cast<double>(std::bit_cast<float>(bytes));
  }
  object.dtype = dtype::float64;
  object.byte_order = native_byte_order;
  object.data = std::as_bytes(std::span<const double>(*wide));
  return wide;
}

}  // namespace

void message_builder::add(new_object&& object, std::shared_ptr<const void> memory, failure& why) {
  if (object.pipeline.encoding == encoding::simple_packing && object.dtype == dtype::float32) {
    memory = widen(object);
    ++widened_;
  }
  why = validate_pipeline(object.pipeline, object.dtype);  // before elements are encoded
  if (why) {
    failed_object_ = built_.size();
    return;
  }
  built_.push_back({.message = messages_,
                    .object = built_.size() - begin_,
                    .dtype = object.dtype,
                    .shape = object.shape,
                    .bytes = object.data.size()});
  if (plan_.stream) {
    stream(object, why);
    if (!why && plan_.separate) end_stream(why);
    return;
  }
  pending_.objects.emplace_back(std::move(object));
  memory_.push_back(std::move(memory));
  if (plan_.separate) write_pending(why);
}

void message_builder::finish(failure& why) {
  why = {};
  if (stream_) end_stream(why);
  if (!why && !pending_.objects.empty()) write_pending(why);
}

void message_builder::write_pending(failure& why) {
  pending_.extra = plan_.extra;
  writer_.write(pending_, why);
  if (why) return find_failed(why);
  for (std::size_t j = 0; begin_ + j < built_.size(); ++j) built_[begin_ + j].stored = writer_.stored_bytes(j);
  written_ = writer_.bytes_written();
  pending_.objects.clear();
  memory_.clear();
  end_message();
}

void message_builder::stream(const new_object& object, failure& why) {
  if (!stream_) {
    write_options layout = plan_.layout;
    layout.start_offset += written_;
    stream_ = std::make_unique<stream_writer>(to_, plan_.extra, layout);
  }
  stream_->write(object, why);
  if (why) find_failed(why);
}

void message_builder::end_stream(failure& why) {
  stream_->finish(true, why);
  if (why) return find_failed(why);
  written_ += stream_->bytes_written();
  stream_.reset();
  end_message();
}

void message_builder::end_message() noexcept {
  begin_ = built_.size();
  ++messages_;
}

/// Finds the object that a failure of a writer concerns.
void message_builder::find_failed(const failure& why) {
  if (why.code.category() != category()) return;
  const std::size_t count = built_.size() - begin_;
  const std::uint64_t j = plan_.stream ? count - 1 : why.object.value_or(UINT64_MAX);
  if (j < count) failed_object_ = begin_ + static_cast<std::size_t>(j);
}

}  // namespace tgmap::edit
