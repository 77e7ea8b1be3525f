// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <tgmap/write/appender.hpp>

#include "write/append_file.hpp"
#include "write/append_sink.hpp"
#include "write/guarded.hpp"
#include "write/message_encoder.hpp"
#include "write/stream_state.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

struct append_state {
  append_state() = default;
  append_state(const append_state&) = delete;
  append_state& operator=(const append_state&) = delete;
  /// A stream that was not finished is no message: its reader would wait for the rest.
  ~append_state() {
    if (streamed) static_cast<void>(end_stream({.code = errc::call_out_of_order}));
  }

  write::append_file file{};
  append_options options{};
  std::uint64_t end = 0;  // of the last whole message
  std::optional<write::append_sink> sink{};
  std::optional<writer> messages{};  // nothing: both are to be made anew, behind a failure or a stream
  std::optional<stream_writer> stream{};
  std::shared_ptr<stream_state> streamed{};  // what `stream` is a handle of, also where the handle was moved away
  bool broken = false;                       // nobody knows what lies behind `end`

  /// Ready to write at `end`.
  void restart() {
    options.write.start_offset = end;
    messages.reset();
    sink.emplace(file, end);
    messages.emplace(*sink, options.write);
  }

  void begin_stream(const cbor_value& extra) {
    write_options layout = options.write;
    layout.start_offset = end;
    stream.emplace(*sink, extra, layout);
    streamed = stream->state_;
  }

  /// What was put out becomes part of the archive, or is cut off again.
  failure settle(failure why) noexcept {
    if (!why) why = sink->flush();
    if (!why && options.sync) why = file.sync();
    if (!why) {
      end = options.write.start_offset + sink->bytes_written();
      return {};
    }
    sink->discard();
    messages.reset();
    broken = sink->reached() > end && file.cut(end, sink->reached());
    return why;
  }

  /// The stream's message is settled if it is finished, else cut off with that failure. Its handle takes nothing more.
  failure end_stream(failure unfinished) noexcept {
    const bool whole = streamed->now == stream_state::turn::finished;
    streamed->now = stream_state::turn::broken;
    streamed.reset();
    stream.reset();
    const failure why = settle(whole ? failure{} : unfinished);
    messages.reset();  // which knows nothing of the stream
    return why;
  }

  failure ready() const noexcept { return broken || streamed ? failure{.code = errc::call_out_of_order} : failure{}; }

  /// Before something is written. What found no memory for this may find it the next time.
  failure prepare() noexcept {
    failure why = ready();
    if (!why && !messages) why = write::guarded([&]() -> failure { return restart(), failure{}; });
    return why;
  }
};

}  // namespace detail

namespace {

/// An appender whose opening has failed, or that was moved from, takes nothing.
constexpr errc nothing_open = errc::call_out_of_order;

}  // namespace

appender::appender() noexcept = default;
appender::appender(appender&&) noexcept = default;
appender& appender::operator=(appender&&) noexcept = default;

appender::~appender() = default;

appender appender::open(const std::filesystem::path& path, failure& why) noexcept {
  return open(path, append_options(), why);
}

appender appender::open(const std::filesystem::path& path, const append_options& options, failure& why) noexcept {
  appender out;
  why = write::guarded([&]() -> failure {
    if (failure no = write::check_options(options.write)) return no;
    auto state = std::make_unique<detail::append_state>();
    state->options = options;
    if (failure no = state->file.open(path, options)) return no;
    state->end = state->file.end();
    state->restart();
    out.state_ = std::move(state);
    return {};
  });
  return out;
}

appender::appender(const std::filesystem::path& path, const append_options& options) {
  failure why;
  *this = open(path, options, why);
  detail::raise_if(why);
}

void appender::write(const new_message& what, failure& why) noexcept {
  if (!state_) return void(why = {.code = nothing_open});
  detail::append_state& on = *state_;
  if ((why = on.prepare())) return;
  on.messages->write(what, why);
  why = on.settle(why);
}

void appender::write(const message& what, failure& why) noexcept {
  if (!state_) return void(why = {.code = nothing_open});
  detail::append_state& on = *state_;
  if ((why = on.prepare())) return;
  on.messages->write(what, why);
  why = on.settle(why);
}

stream_writer* appender::begin_stream(failure& why) noexcept {
  cbor_value none;
  why = write::guarded([&] { return none = cbor_value::map(), failure(); });
  return why ? nullptr : begin_stream(none, why);
}

stream_writer* appender::begin_stream(const cbor_value& extra, failure& why) noexcept {
  if (!state_) {
    why = {.code = nothing_open};
    return nullptr;
  }
  detail::append_state& on = *state_;
  if ((why = on.prepare())) return nullptr;
  if ((why = on.file.unchanged(on.end))) return nullptr;  // rather than when its first bytes go out
  why = write::guarded([&]() -> failure {
    try {
      on.begin_stream(extra);
    } catch (const error& e) {
      return e.details();
    }
    return {};
  });
  if (!why) return &*on.stream;
  why = on.settle(why);
  return nullptr;
}

void appender::close_stream(failure& why) noexcept {
  if (!state_) return void(why = {.code = nothing_open});
  detail::append_state& on = *state_;
  why = {};
  if (!on.streamed) {
    why = {.code = errc::call_out_of_order};
    return;
  }
  if (on.streamed->now != detail::stream_state::turn::finished) why = on.streamed->finish(true);
  why = on.end_stream(why);
}

void appender::sync(failure& why) noexcept {
  if (!state_) return void(why = {.code = nothing_open});
  detail::append_state& on = *state_;
  why = on.ready();
  if (!why) why = on.file.sync();
}

void appender::write(const new_message& what) {
  failure why;
  write(what, why);
  detail::raise_if(why);
}

void appender::write(const message& what) {
  failure why;
  write(what, why);
  detail::raise_if(why);
}

stream_writer& appender::begin_stream(const cbor_value& extra) {
  failure why;
  stream_writer* const out = begin_stream(extra, why);
  detail::raise_if(why);
  return *out;
}

void appender::close_stream() {
  failure why;
  close_stream(why);
  detail::raise_if(why);
}

void appender::sync() {
  failure why;
  sync(why);
  detail::raise_if(why);
}

std::uint64_t appender::size_bytes() const noexcept { return state_ ? state_->end : 0; }

}  // namespace v0
}  // namespace tgmap
