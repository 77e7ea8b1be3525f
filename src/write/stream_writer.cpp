// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/stream_writer.hpp>

#include "write/message_encoder.hpp"
#include "write/stream_state.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::stream_state;
using stream_turn = stream_state::turn;

/// The stream begins. What fails leaves nothing to write with.
failure open_stream(std::shared_ptr<stream_state>& state, sink& to, const cbor_value& extra,
                    const write_options& options, std::span<const cbor_value> ahead) {
  if (const failure why = write::check_options(options)) return why;
  auto made = std::make_shared<stream_state>(to, options, extra);
  const failure why = made->encoder.begin(ahead);
  if (!why) state = std::move(made);
  return why;
}

/// Does what concerns the object that comes or is open, in a stream that was made and is still here.
template <class Work>
failure at_object(stream_state* on, stream_turn when, stream_turn then, Work&& work) noexcept {
  if (on == nullptr) return {.code = errc::call_out_of_order};
  return on->about_object(on->take(when, then, [&] { return work(on->encoder); }));
}

}  // namespace

stream_writer::stream_writer(sink& to, const cbor_value& extra, const write_options& options,
                             std::span<const cbor_value> ahead) {
  detail::raise_if(open_stream(state_, to, extra, options, ahead));
}

stream_writer::stream_writer(sink& to, const cbor_value& extra, const write_options& options,
                             std::span<const cbor_value> ahead, failure& why) noexcept {
  why = write::guarded([&] { return open_stream(state_, to, extra, options, ahead); });
}

stream_writer::stream_writer(sink& to, const cbor_value& extra, const write_options& options, failure& why) noexcept
    : stream_writer(to, extra, options, {}, why) {}

stream_writer::stream_writer(sink& to, const cbor_value& extra, failure& why) noexcept {
  why = write::guarded([&] { return open_stream(state_, to, extra, write_options(), {}); });
}

stream_writer::stream_writer(sink& to, failure& why) noexcept {
  why = write::guarded([&] { return open_stream(state_, to, cbor_value::map(), write_options(), {}); });
}

stream_writer::~stream_writer() = default;
stream_writer::stream_writer(stream_writer&&) noexcept = default;
stream_writer& stream_writer::operator=(stream_writer&&) noexcept = default;

void stream_writer::write(const new_object& what, failure& why) noexcept {
  why = at_object(state_.get(), stream_turn::ready, stream_turn::ready, [&](auto& to) { return to.write(what); });
}

void stream_writer::write(const stored_object& what, failure& why) noexcept {
  why = at_object(state_.get(), stream_turn::ready, stream_turn::ready, [&](auto& to) { return to.write(what); });
}

void stream_writer::begin_object(const new_object& what, failure& why) noexcept {
  why = at_object(state_.get(), stream_turn::ready, stream_turn::object_open,
                  [&](auto& to) { return to.begin_object(what); });
}

void stream_writer::append_elements(std::span<const std::byte> elements, failure& why) noexcept {
  why = at_object(state_.get(), stream_turn::object_open, stream_turn::object_open,
                  [&](auto& to) { return to.append(elements); });
}

void stream_writer::append_typed(dtype given, std::span<const std::byte> elements, failure& why) noexcept {
  const stream_state* const on = state_.get();
  if (on != nullptr && on->now == stream_turn::object_open && on->encoder.open_dtype() != given)
    why = on->about_object({.code = errc::dtype_mismatch,
                            .expected = static_cast<std::uint64_t>(given),
                            .found = static_cast<std::uint64_t>(on->encoder.open_dtype())});
  else
    append_elements(elements, why);
}

void stream_writer::end_object(failure& why) noexcept {
  why =
      at_object(state_.get(), stream_turn::object_open, stream_turn::ready, [&](auto& to) { return to.end_object(); });
}

void stream_writer::finish(failure& why) noexcept { finish(true, why); }

void stream_writer::finish(bool backfill, failure& why) noexcept {
  why = state_ ? state_->finish(backfill) : failure{.code = errc::call_out_of_order};
}

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

void stream_writer::begin_object(const new_object& what) {
  failure why;
  begin_object(what, why);
  detail::raise_if(why);
}

void stream_writer::append_elements(std::span<const std::byte> elements) {
  failure why;
  append_elements(elements, why);
  detail::raise_if(why);
}

void stream_writer::end_object() {
  failure why;
  end_object(why);
  detail::raise_if(why);
}

void stream_writer::finish(bool backfill) {
  failure why;
  finish(backfill, why);
  detail::raise_if(why);
}

std::uint64_t stream_writer::bytes_written() const noexcept { return state_ ? state_->encoder.written() : 0; }
std::size_t stream_writer::objects() const noexcept { return state_ ? state_->encoder.objects() : 0; }

}  // namespace v0
}  // namespace tgmap
