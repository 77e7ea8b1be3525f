// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/writer.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "write/catch_failure.hpp"
#include "write/checks.hpp"
#include "write/message/message_encoder.hpp"
#include "write/output_queue.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

struct writer_state {
  writer_state(sink& target, const write_options& options) : start(options.start_offset), encoder(options) {
    to.target = &target;
  }

  write::counting_sink to{};
  std::uint64_t start;  // offset in the file of the first message
  write::message_encoder encoder;
  write::output_queue copied{};  // the message that is copied
  std::uint64_t bytes_written = 0, messages = 0;
  bool is_broken = false;  // the contents of the sink are unknown

  /// Calls `write`, which writes a message of that length. After a failure the sink is as it was, if the sink itself is
  /// not at fault and can roll back.
  template <class Write>
  failure write_message(std::uint64_t length, Write&& write) noexcept {
    to.count = 0;
    failure why = write::catch_failure(write);
    if (!why) {
      bytes_written += length;
      ++messages;
    } else if (to.has_failed) {
      is_broken = true;
    } else if (to.count != 0) {
      is_broken = static_cast<bool>(to.target->rollback(to.count));
    }
    return why;
  }
};

}  // namespace detail

namespace {

bool is_usable(const detail::writer_state* state) noexcept { return state != nullptr && !state->is_broken; }

failure encode_message(detail::writer_state* state, const new_message& content) noexcept {
  if (!is_usable(state)) return {.code = errc::call_out_of_order};
  const auto prepare = [&] { return state->encoder.prepare(content, state->start + state->bytes_written); };
  if (failure refused = write::catch_failure(prepare)) return refused;
  return state->write_message(state->encoder.length(), [&] { return state->encoder.write_to(state->to); });
}

failure copy_message(detail::writer_state* state, const message& source) noexcept {
  if (!is_usable(state)) return {.code = errc::call_out_of_order};
  const auto* const from = detail::access::state(source);
  if (from == nullptr) return {.code = errc::no_archive};
  if (source.is_incomplete())
    return {.code = errc::incomplete_message, .offset = source.offset(), .message = source.position().index()};
  return state->write_message(source.length(), [&] {
    state->copied.clear();
    state->copied.add(from->bytes(), source.offset(), source.length());
    return state->copied.write_to(state->to);
  });
}

/// Tells the sink of a message that was not written.
failure report(detail::writer_state* state, failure why) noexcept {
  if (why && state != nullptr) state->to.target->message_refused();
  return why;
}

}  // namespace

writer::writer(sink& sink, const write_options& options) {
  detail::raise_if(write::check_options(options));
  state_ = std::make_unique<detail::writer_state>(sink, options);
}

writer::writer(sink& sink, const write_options& options, failure& why) noexcept {
  why = write::catch_failure([&] {
    const failure refused = write::check_options(options);
    if (!refused) state_ = std::make_unique<detail::writer_state>(sink, options);
    return refused;
  });
  if (why) sink.message_refused();
}

writer::writer(sink& sink, failure& why) noexcept : writer(sink, write_options(), why) {}

writer::~writer() = default;
writer::writer(writer&&) noexcept = default;
writer& writer::operator=(writer&&) noexcept = default;

void writer::write(const new_message& content, failure& why) noexcept {
  why = report(state_.get(), encode_message(state_.get(), content));
}

void writer::write(const new_message& content) {
  failure why;
  write(content, why);
  detail::raise_if(why);
}

void writer::write(const message& source, failure& why) noexcept {
  why = report(state_.get(), copy_message(state_.get(), source));
}

void writer::write(const message& source) {
  failure why;
  write(source, why);
  detail::raise_if(why);
}

std::uint64_t writer::bytes_written() const noexcept { return state_ ? state_->bytes_written : 0; }
std::uint64_t writer::messages() const noexcept { return state_ ? state_->messages : 0; }

std::uint64_t writer::stored_bytes(std::size_t j) const noexcept {
  return state_ && j < state_->encoder.objects() ? state_->encoder.object(j).payload_and_masks_size : 0;
}

std::vector<std::byte> to_bytes(const new_message& content, const write_options& options) {
  memory_sink sink;
  writer(sink, options).write(content);
  return sink.release();
}

std::vector<std::byte> to_bytes(const new_message& content, failure& why) noexcept {
  return to_bytes(content, write_options(), why);
}

std::vector<std::byte> to_bytes(const new_message& content, const write_options& options, failure& why) noexcept {
  memory_sink sink;
  writer out(sink, options, why);
  if (!why) out.write(content, why);
  return why ? std::vector<std::byte>() : sink.release();
}

}  // namespace v0
}  // namespace tgmap
