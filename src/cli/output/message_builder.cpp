// SPDX-License-Identifier: Apache-2.0
#include "cli/output/message_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "cli/app/cli_error.hpp"

namespace tgmap::cli {

message_builder::message_builder(sink& to, const message_plan& plan, const new_metadata& metadata)
    : to_(to), plan_(plan), metadata_(metadata), writer_(to, plan.layout) {}

void message_builder::add(array_input&& from) {
  new_object object = object_of(from);
  labels_.push_back(from.label());
  created_.push_back({.message = messages_,
                      .object = labels_.size() - 1,
                      .file = from.file,
                      .member = from.member,
                      .name = from.name,
                      .dtype = object.dtype,
                      .shape = object.shape,
                      .bytes = object.data.size()});
  if (plan_.stream) {
    stream(object);
    if (plan_.separate) end_stream();
    return;
  }
  pending_.objects.emplace_back(std::move(object));
  memory_.push_back(std::move(from.memory));
  if (plan_.separate) write_pending();
}

void message_builder::finish() {
  metadata_.check_count(created_.size());
  if (stream_) end_stream();
  if (!pending_.objects.empty()) write_pending();
}

namespace {

/// Replaces float32 elements by float64, which holds each of them. The order and the strides stay.
void widen(array_input& from, new_object& object) {
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
  from.memory = wide;
}

}  // namespace

/// Rejects an object before its elements are encoded, if possible.
new_object message_builder::object_of(array_input& from) {
  new_object out = std::move(from.object);
  out.pipeline = plan_.pipeline;
  try {
    out.base = metadata_.base(created_.size(), from.name);
  } catch (const cli_error& why) {
    throw array_error(from.label(), why.what(), why.next_step());
  }
  const bool packs = out.pipeline.encoding == encoding::simple_packing;
  if (packs && out.dtype == dtype::float32) {
    widen(from, out);
    ++widened_;
  }
  if (const failure why = validate_pipeline(out.pipeline, out.dtype))
    throw array_error(from.label(), why.text(), next_step_for_storing(why, from.file));
  return out;
}

void message_builder::write_pending() {
  pending_.extra = metadata_.extra();
  failure why;
  writer_.write(pending_, why);
  check(why);
  const std::size_t count = pending_.objects.size();
  for (std::size_t j = 0; j < count; ++j) created_[created_.size() - count + j].stored = writer_.stored_bytes(j);
  written_ = writer_.bytes_written();
  pending_.objects.clear();
  memory_.clear();
  labels_.clear();
  ++messages_;
}

void message_builder::stream(const new_object& object) {
  if (!stream_) {
    write_options layout = plan_.layout;
    layout.start_offset += written_;
    stream_ = std::make_unique<stream_writer>(to_, metadata_.extra(), layout);
  }
  failure why;
  stream_->write(object, why);
  check(why);
}

void message_builder::end_stream() {
  failure why;
  stream_->finish(true, why);
  check(why);
  written_ += stream_->bytes_written();
  stream_.reset();
  labels_.clear();
  ++messages_;
}

/// Throws array_error with the name of the array if an array is at fault.
void message_builder::check(const failure& why) {
  if (!why) return;
  if (why.code.category() != category()) throw error(why);
  const auto j = plan_.stream ? labels_.size() - 1 : static_cast<std::size_t>(why.object.value_or(SIZE_MAX));
  if (j >= labels_.size()) throw error(why);
  failure of_object = why;
  of_object.message = of_object.object = std::nullopt;
  throw array_error(labels_[j], of_object.text(), next_step_for_storing(why, labels_[j]));
}

}  // namespace tgmap::cli
