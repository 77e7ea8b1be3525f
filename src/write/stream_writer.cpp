// SPDX-License-Identifier: Apache-2.0
#include <tgmap/stream_writer.hpp>

#include "write/message_encoder.hpp"
#include "write/stream_state.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using stream_turn = detail::stream_state::turn;

}  // namespace

stream_writer::stream_writer(sink& to, const item& extra, const write_options& options, std::span<const item> ahead) {
  detail::raise_if(write::check_options(options));
  state_ = std::make_shared<detail::stream_state>(to, options, extra);
  detail::raise_if(state_->encoder.begin(ahead));
}

stream_writer::~stream_writer() = default;
stream_writer::stream_writer(stream_writer&&) noexcept = default;
stream_writer& stream_writer::operator=(stream_writer&&) noexcept = default;

void stream_writer::write(const new_object& what, failure& why) noexcept {
  why = state_->about_object(
      state_->take(stream_turn::ready, stream_turn::ready, [&] { return state_->encoder.write(what); }));
}

void stream_writer::write(const stored_object& what, failure& why) noexcept {
  why = state_->about_object(
      state_->take(stream_turn::ready, stream_turn::ready, [&] { return state_->encoder.write(what); }));
}

void stream_writer::begin(const new_object& what, failure& why) noexcept {
  why = state_->about_object(
      state_->take(stream_turn::ready, stream_turn::object_open, [&] { return state_->encoder.begin_object(what); }));
}

void stream_writer::append(std::span<const std::byte> elements, failure& why) noexcept {
  why = state_->about_object(state_->take(stream_turn::object_open, stream_turn::object_open,
                                          [&] { return state_->encoder.append(elements); }));
}

void stream_writer::end(failure& why) noexcept {
  why = state_->about_object(
      state_->take(stream_turn::object_open, stream_turn::ready, [&] { return state_->encoder.end_object(); }));
}

void stream_writer::finish(bool backfill, failure& why) noexcept { why = state_->finish(backfill); }

void stream_writer::write(const new_object& what) {
  failure why;
  write(what, why);
  detail::raise_if(why);
}

void stream_writer::write(const stored_object& what) {
  failure why;
  write(what, why);
  detail::raise_if(why);
}

void stream_writer::begin(const new_object& what) {
  failure why;
  begin(what, why);
  detail::raise_if(why);
}

void stream_writer::append(std::span<const std::byte> elements) {
  failure why;
  append(elements, why);
  detail::raise_if(why);
}

void stream_writer::end() {
  failure why;
  end(why);
  detail::raise_if(why);
}

void stream_writer::finish(bool backfill) {
  failure why;
  finish(backfill, why);
  detail::raise_if(why);
}

std::uint64_t stream_writer::written() const noexcept { return state_->encoder.written(); }
std::size_t stream_writer::objects() const noexcept { return state_->encoder.objects(); }

}  // namespace v0
}  // namespace tgmap
