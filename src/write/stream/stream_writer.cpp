// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/stream_writer.hpp>

#include "write/catch_failure.hpp"
#include "write/checks.hpp"
#include "write/stream/stream_encoder.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::stream_state;
using phase = stream_state::phase;

/// Begins a stream. After a failure `state` stays empty, and the sink is told.
failure open_stream(std::shared_ptr<stream_state>& state, sink& sink, const cbor_value& extra,
                    const write_options& options, std::span<const cbor_value> ahead) noexcept {
  failure why = write::catch_failure([&] {
    if (failure refused = write::check_options(options)) return refused;
    auto opened = std::make_shared<stream_state>(sink, options, extra);
    failure refused = opened->encoder.begin(ahead);
    if (!refused) state = std::move(opened);
    return refused;
  });
  if (why) sink.message_refused();
  return why;
}

/// Calls `work` in the required phase. `state` is null after a failed constructor or a move.
template <class Work>
failure run(stream_state* state, phase required, phase next, Work&& work) noexcept {
  if (state == nullptr) return {.code = errc::call_out_of_order};
  return state->at_object(state->run(required, next, [&] { return work(state->encoder); }));
}

}  // namespace

stream_writer::stream_writer(sink& sink, const cbor_value& extra, const write_options& options,
                             std::span<const cbor_value> ahead) {
  detail::raise_if(open_stream(state_, sink, extra, options, ahead));
}

stream_writer::stream_writer(sink& sink, const cbor_value& extra, const write_options& options,
                             std::span<const cbor_value> ahead, failure& why) noexcept {
  why = open_stream(state_, sink, extra, options, ahead);
}

stream_writer::stream_writer(sink& sink, const cbor_value& extra, const write_options& options, failure& why) noexcept
    : stream_writer(sink, extra, options, {}, why) {}

stream_writer::stream_writer(sink& sink, const cbor_value& extra, failure& why) noexcept
    : stream_writer(sink, extra, write_options(), {}, why) {}

stream_writer::stream_writer(sink& sink, failure& why) noexcept {
  cbor_value none;
  why = write::catch_failure([&] { return none = cbor_value::map(), failure(); });
  if (!why) why = open_stream(state_, sink, none, write_options(), {});
}

stream_writer::~stream_writer() = default;
stream_writer::stream_writer(stream_writer&&) noexcept = default;
stream_writer& stream_writer::operator=(stream_writer&&) noexcept = default;

void stream_writer::write(const new_object& object, failure& why) noexcept {
  why = run(state_.get(), phase::ready, phase::ready, [&](auto& encoder) { return encoder.write(object); });
}

void stream_writer::write(const new_object& object) {
  failure why;
  write(object, why);
  detail::raise_if(why);
}

void stream_writer::write(const stored_object& object, failure& why) noexcept {
  why = run(state_.get(), phase::ready, phase::ready, [&](auto& encoder) { return encoder.write(object); });
}

void stream_writer::write(const stored_object& object) {
  failure why;
  write(object, why);
  detail::raise_if(why);
}

void stream_writer::begin_object(const new_object& object, failure& why) noexcept {
  why =
      run(state_.get(), phase::ready, phase::object_open, [&](auto& encoder) { return encoder.begin_object(object); });
}

void stream_writer::begin_object(const new_object& object) {
  failure why;
  begin_object(object, why);
  detail::raise_if(why);
}

void stream_writer::append_elements(std::span<const std::byte> elements, failure& why) noexcept {
  why = run(state_.get(), phase::object_open, phase::object_open,
            [&](auto& encoder) { return encoder.append_elements(elements); });
}

void stream_writer::append_elements(std::span<const std::byte> elements) {
  failure why;
  append_elements(elements, why);
  detail::raise_if(why);
}

void stream_writer::append_typed(dtype of_elements, std::span<const std::byte> elements, failure& why) noexcept {
  const stream_state* const state = state_.get();
  if (state != nullptr && state->current == phase::object_open && state->encoder.open_dtype() != of_elements)
    why = state->at_object({.code = errc::dtype_mismatch,
                            .expected = static_cast<std::uint64_t>(of_elements),
                            .found = static_cast<std::uint64_t>(state->encoder.open_dtype())});
  else
    append_elements(elements, why);
}

void stream_writer::end_object(failure& why) noexcept {
  why = run(state_.get(), phase::object_open, phase::ready, [&](auto& encoder) { return encoder.end_object(); });
}

void stream_writer::end_object() {
  failure why;
  end_object(why);
  detail::raise_if(why);
}

void stream_writer::finish(failure& why) noexcept { finish(true, why); }

void stream_writer::finish(bool backfill, failure& why) noexcept {
  why = state_ ? state_->finish(backfill) : failure{.code = errc::call_out_of_order};
}

void stream_writer::finish(bool backfill) {
  failure why;
  finish(backfill, why);
  detail::raise_if(why);
}

std::uint64_t stream_writer::bytes_written() const noexcept { return state_ ? state_->encoder.bytes_written() : 0; }
std::size_t stream_writer::objects() const noexcept { return state_ ? state_->encoder.objects() : 0; }

}  // namespace v0
}  // namespace tgmap
