// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <tgmap/enum_names.hpp>
#include <tgmap/write/appender.hpp>

#include "core/text/enum_table.hpp"
#include "index/appended_index.hpp"
#include "write/append/locked_file.hpp"
#include "write/catch_failure.hpp"
#include "write/checks.hpp"
#include "write/stream/stream_encoder.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

struct append_state {
  append_state() = default;
  append_state(const append_state&) = delete;
  append_state& operator=(const append_state&) = delete;
  ~append_state() { static_cast<void>(close()); }

  /// Cuts off a stream that is not finished, since readers would wait for the rest of it. Extends the index.
  failure close() noexcept {
    if (!file.is_open()) return {};  // in a child made by `fork`
    if (open_stream) static_cast<void>(end_stream({.code = errc::call_out_of_order}));
    failure why;
    if (index && end != file.opened_size() && !is_broken) {
      why = file.check_unchanged(end);
      if (!why) why = write::catch_failure([&] { return index.extend(); });
    }
    const failure of_closing = file.unlock();
    return why ? why : of_closing;
  }

  write::locked_file file{};
  appended_index index{};
  append_options options{};
  std::uint64_t end = 0;  // of the last whole message
  std::optional<write::locked_file_sink> sink{};
  std::optional<writer> messages{};  // nothing after a failure or a stream: the sink and the writer must be made again
  std::optional<stream_writer> stream{};
  std::shared_ptr<stream_state> open_stream{};  // the state of `stream`, even if the program has moved the handle
  bool is_broken = false;                       // the bytes after `end` are unknown

  /// Makes a sink and a writer that begin at `end`.
  void start_writer() {
    options.write.start_offset = end;
    messages.reset();
    sink.emplace(file, end);
    messages.emplace(*sink, options.write);
  }

  void start_stream(const cbor_value& extra) {
    write_options layout = options.write;
    layout.start_offset = end;
    stream.emplace(*sink, extra, layout);
    open_stream = stream->state_;
  }

  /// Adds the written bytes to the archive if `why` is empty. Cuts them off otherwise, and if flush or sync fails.
  failure commit(failure why) noexcept {
    if (!why) why = sink->flush();
    if (!why && options.sync) why = file.sync();
    if (!why) {
      end = options.write.start_offset + sink->bytes_written();
      return {};
    }
    sink->discard();
    messages.reset();
    is_broken = sink->written_end() > end && file.truncate(end, sink->written_end());
    return why;
  }

  /// Commits the message of the stream if it is finished; cuts it off with `unfinished` otherwise. All handles of the
  /// stream become unusable.
  failure end_stream(failure unfinished) noexcept {
    const bool is_finished = open_stream->current == stream_state::phase::finished;
    open_stream->current = stream_state::phase::broken;
    open_stream.reset();
    stream.reset();
    const failure why = commit(is_finished ? failure{} : unfinished);
    messages.reset();  // its offset is that before the stream
    return why;
  }

  failure check_ready() const noexcept {
    const bool is_usable = file.is_open() && !is_broken && !open_stream;
    return is_usable ? failure{} : failure{.code = errc::call_out_of_order};
  }

  /// Must be called before a message is written. Errors: call_out_of_order; out_of_memory, after which the next call
  /// tries again.
  failure prepare() noexcept {
    failure why = check_ready();
    if (!why && !messages) why = write::catch_failure([&]() -> failure { return start_writer(), failure{}; });
    return why;
  }
};

}  // namespace detail

namespace {

/// Writes a message, or copies one of another archive. `state` is null after a failed open or a move.
template <class Message>
failure append_message(detail::append_state* state, const Message& content) noexcept {
  if (state == nullptr) return {.code = errc::call_out_of_order};
  if (failure why = state->prepare()) return why;
  failure why;
  state->messages->write(content, why);
  return state->commit(why);
}

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
  why = write::catch_failure([&]() -> failure {
    if (failure refused = write::check_options(options.write)) return refused;
    auto state = std::make_unique<detail::append_state>();
    state->options = options;
    if (failure refused = state->file.open(path, options)) return refused;
    state->end = state->file.end();
    state->index = detail::appended_index(state->file.path());
    if (failure refused = state->file.truncate(state->end, state->file.opened_size())) return refused;
    state->start_writer();
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

void appender::write(const new_message& content, failure& why) noexcept { why = append_message(state_.get(), content); }

void appender::write(const new_message& content) {
  failure why;
  write(content, why);
  detail::raise_if(why);
}

void appender::write(const message& source, failure& why) noexcept { why = append_message(state_.get(), source); }

void appender::write(const message& source) {
  failure why;
  write(source, why);
  detail::raise_if(why);
}

stream_writer* appender::begin_stream(failure& why) noexcept {
  cbor_value none;
  why = write::catch_failure([&] { return none = cbor_value::map(), failure(); });
  return why ? nullptr : begin_stream(none, why);
}

stream_writer* appender::begin_stream(const cbor_value& extra, failure& why) noexcept {
  if (!state_) {
    why = {.code = errc::call_out_of_order};
    return nullptr;
  }
  detail::append_state& state = *state_;
  if ((why = state.prepare())) return nullptr;
  // The sink checks the file only when its buffer is written.
  if ((why = state.file.check_unchanged(state.end))) return nullptr;
  why = write::catch_failure([&]() -> failure { return state.start_stream(extra), failure{}; });
  if (!why) return &*state.stream;
  why = state.commit(why);
  return nullptr;
}

stream_writer& appender::begin_stream(const cbor_value& extra) {
  failure why;
  stream_writer* const out = begin_stream(extra, why);
  detail::raise_if(why);
  return *out;
}

void appender::close_stream(failure& why) noexcept {
  why = {};
  if (!state_ || !state_->open_stream) {
    why = {.code = errc::call_out_of_order};
    return;
  }
  detail::stream_state& stream = *state_->open_stream;
  if (stream.current != detail::stream_state::phase::finished) why = stream.finish(true);
  why = state_->end_stream(why);
}

void appender::close_stream() {
  failure why;
  close_stream(why);
  detail::raise_if(why);
}

void appender::sync(failure& why) noexcept {
  why = state_ ? state_->check_ready() : failure{.code = errc::call_out_of_order};
  if (!why) why = state_->file.sync();
}

void appender::sync() {
  failure why;
  sync(why);
  detail::raise_if(why);
}

void appender::close(failure& why) noexcept {
  why = state_ ? state_->close() : failure{};
  state_.reset();
}

void appender::close() {
  failure why;
  close(why);
  detail::raise_if(why);
}

std::uint64_t appender::size_bytes() const noexcept { return state_ ? state_->end : 0; }

TGMAP_ENUM_NAMES(on_tail, 0, "refuse", "truncate")

}  // namespace v0
}  // namespace tgmap
