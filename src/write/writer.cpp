// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/writer.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "write/counting_sink.hpp"
#include "write/guarded.hpp"
#include "write/message_encoder.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

struct writer_state {
  writer_state(sink& where_to, const write_options& options) : start(options.start_offset), encoder(options) {
    to.to = &where_to;
  }

  write::counting_sink to{};
  std::uint64_t start;
  write::message_encoder encoder;
  write::output out{};
  std::uint64_t written = 0, messages = 0;
  bool broken = false;  // nobody knows what the sink holds

  /// Does `put`, which puts out a message of that length: the sink holds all of it, or what it held before.
  template <class Put>
  failure whole(std::uint64_t length, Put&& put) noexcept {
    to.count = 0;
    failure why = write::guarded(put);
    if (!why) {
      written += length;
      ++messages;
    } else if (to.failed) {
      broken = true;
    } else if (to.count != 0) {
      broken = static_cast<bool>(to.to->rollback(to.count));
    }
    return why;
  }
};

}  // namespace detail

namespace {

bool takes_more(const detail::writer_state* on) noexcept { return on != nullptr && !on->broken; }

}  // namespace

writer::writer(sink& to, const write_options& options) {
  detail::raise_if(write::check_options(options));
  state_ = std::make_unique<detail::writer_state>(to, options);
}

writer::writer(sink& to, const write_options& options, failure& why) noexcept {
  why = write::guarded([&] {
    const failure refused = write::check_options(options);
    if (!refused) state_ = std::make_unique<detail::writer_state>(to, options);
    return refused;
  });
}

writer::writer(sink& to, failure& why) noexcept {
  why = write::guarded([&] {
    state_ = std::make_unique<detail::writer_state>(to, write_options());
    return failure();
  });
}

writer::~writer() = default;
writer::writer(writer&&) noexcept = default;
writer& writer::operator=(writer&&) noexcept = default;

void writer::write(const new_message& what, failure& why) noexcept {
  if (!takes_more(state_.get())) return void(why = {.code = errc::call_out_of_order});
  detail::writer_state& on = *state_;
  if (failure refused = write::guarded([&] { return on.encoder.prepare(what, on.start + on.written); }))
    return void(why = refused);
  if (failure lost = on.whole(on.encoder.length(), [&] { return on.encoder.put(on.to); })) return void(why = lost);
  why = {};
}

void writer::write(const message& what, failure& why) noexcept {
  if (!takes_more(state_.get())) return void(why = {.code = errc::call_out_of_order});
  detail::writer_state& on = *state_;
  const auto* const from = detail::access::state(what);
  if (from == nullptr) return void(why = {.code = errc::no_archive});
  if (what.is_incomplete())
    return void(why = {.code = errc::incomplete_message, .offset = what.offset(), .message = what.position().index()});
  why = on.whole(what.length(), [&] {
    on.out.clear();
    on.out.add(from->bytes(), what.offset(), what.length());
    return on.out.put(on.to);
  });
}

void writer::write(const new_message& what) {
  failure why;
  write(what, why);
  detail::raise_if(why);
}

void writer::write(const message& what) {
  failure why;
  write(what, why);
  detail::raise_if(why);
}

std::uint64_t writer::bytes_written() const noexcept { return state_ ? state_->written : 0; }
std::uint64_t writer::messages() const noexcept { return state_ ? state_->messages : 0; }

std::uint64_t writer::stored_bytes(std::size_t j) const noexcept {
  return state_ && j < state_->encoder.objects() ? state_->encoder.object(j).region : 0;
}

std::vector<std::byte> to_bytes(const new_message& what, const write_options& options) {
  memory_sink to;
  writer(to, options).write(what);
  return to.release();
}

std::vector<std::byte> to_bytes(const new_message& what, failure& why) noexcept {
  memory_sink to;
  writer by(to, why);
  if (!why) by.write(what, why);
  return why ? std::vector<std::byte>() : to.release();
}

std::vector<std::byte> to_bytes(const new_message& what, const write_options& options, failure& why) noexcept {
  memory_sink to;
  writer by(to, options, why);
  if (!why) by.write(what, why);
  return why ? std::vector<std::byte>() : to.release();
}

}  // namespace v0
}  // namespace tgmap
