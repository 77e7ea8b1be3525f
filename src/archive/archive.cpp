// SPDX-License-Identifier: Apache-2.0
#include <tgmap/archive.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <tgmap/enum_names.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "cbor/prescan.hpp"
#include "core/text/enum_table.hpp"
#include "io/spool.hpp"
#include "wire/preamble.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

archive access::make_archive(std::unique_ptr<io::source> bytes, const open_options& options, failure& why) noexcept {
  archive out;
  if (why || !bytes) return out;
  if (options.max_cbor_depth > cbor::max_depth_limit) {
    why = {.code = errc::invalid_option,
           .expected = cbor::max_depth_limit,
           .found = options.max_cbor_depth,
           .argument = "open_options::max_cbor_depth"};
    return out;
  }
  try {
    out.state_ = std::make_shared<const archive_state>(std::move(bytes), options);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory, .found = sizeof(archive_state)};
  }
  return out;
}

failure access::set_path(const archive& a, const std::filesystem::path& path) noexcept try {
  // The working folder may change. Without one the path stays as it is.
  std::error_code unknown;
  std::filesystem::path absolute = path.empty() ? path : std::filesystem::absolute(path, unknown);
  if (unknown) absolute = path;
  mutable_state(a).path = std::move(absolute);
  return {};
} catch (const std::bad_alloc&) {
  return {.code = errc::out_of_memory, .found = path.native().size()};
}

failure access::beyond(const archive_state& state, std::size_t index) noexcept {
  if (const auto gap = state.scan().stopped_at()) {
    failure why = gap->cause;  // keeps the offset of the damage
    why.code = errc::damaged;
    why.offset = gap->begin;
    why.expected = gap->end;
    why.found = gap->begin;
    why.message = state.scan().size();
    return why;
  }
  return {.code = errc::out_of_range, .expected = state.scan().size(), .found = index};
}
}  // namespace detail

using detail::access;
using detail::archive_state;

archive archive::from_descriptor(int descriptor, const open_options& options, failure& why) noexcept {
  why = {};
  io::file file = io::file::duplicate(descriptor, why);
  return why ? archive() : access::make_archive(io::source::from_file(std::move(file), options, why), options, why);
}

archive archive::from_descriptor(int descriptor, const open_options& options) {
  return detail::or_throw([&](failure& why) { return from_descriptor(descriptor, options, why); });
}

archive archive::from_memory(std::span<const std::byte> bytes, memory what, const open_options& options,
                             failure& why) noexcept {
  why = {};
  return access::make_archive(io::source::from_memory(bytes, what, options, why), options, why);
}

archive archive::from_memory(std::span<const std::byte> bytes, memory what, const open_options& options) {
  return detail::or_throw([&](failure& why) { return from_memory(bytes, what, options, why); });
}

archive archive::from_memory(std::span<const std::byte> bytes, const open_options& options, failure& why) noexcept {
  return from_memory(bytes, memory::constant, options, why);
}

archive archive::from_memory(std::span<const std::byte> bytes, const open_options& options) {
  return detail::or_throw([&](failure& why) { return from_memory(bytes, options, why); });
}

archive archive::from_memory(std::vector<std::byte>&& bytes, const open_options& options, failure& why) noexcept {
  why = {};
  return access::make_archive(io::source::from_memory(std::move(bytes), options, why), options, why);
}

archive archive::from_memory(std::vector<std::byte>&& bytes, const open_options& options) {
  return detail::or_throw([&](failure& why) { return from_memory(std::move(bytes), options, why); });
}

archive archive::from_stream(std::istream& stream, const open_options& options, failure& why) noexcept {
  why = {};
  io::file file = io::spool(stream, why);
  return why ? archive() : access::make_archive(io::source::from_file(std::move(file), options, why), options, why);
}

archive archive::from_stream(std::istream& stream, const open_options& options) {
  return detail::or_throw([&](failure& why) { return from_stream(stream, options, why); });
}

message archive::at(std::size_t i, failure& why) const& noexcept {
  why = {};
  if (!state_) {
    access::none(why);
    return {};
  }
  const detail::scanner& scan = state_->scan();
  if (i >= scan.size()) why = scan.advance(i, UINT64_MAX, {});
  if (!why && i >= scan.size()) why = access::beyond(*state_, i);
  if (why) return {};
  const message_position found = scan.message(i, why);
  return why ? message() : access::make_message(*state_, found);
}

message archive::operator[](std::size_t i) const& {
  if (message_position known; state_ && i < state_->scan().size() && state_->scan().find(i, known))
    return detail::access::make_message(*state_, known);
  return detail::or_throw([this, i](failure& why) { return at(i, why); });
}

message archive::nth_from_end(std::size_t n, failure& why) const& noexcept {
  why = {};
  if (!state_) {
    access::none(why);
    return {};
  }
  // If damage ended the numbering, the archive can still be read from its end.
  if (!state_->scan().complete() || state_->scan().stopped_at()) {
    io::window window(state_->bytes());
    std::uint64_t end = state_->bytes().size();
    for (std::size_t k = 0;; ++k) {
      const detail::parsed_message found = detail::parse_message_ending_at(window, end);
      if (found.unreadable) {
        why = found.why;
        return {};
      }
      if (found.status != detail::message_status::whole) break;
      if (k == n) return access::make_message(*state_, found.message);
      end = found.message.offset();
      if (end == 0) {
        why = {.code = errc::out_of_range, .expected = k + 1, .found = n};
        return {};
      }
    }
  }
  const std::size_t count = size(why);
  if (why) return {};
  if (n >= count) {
    why = {.code = errc::out_of_range, .expected = count, .found = n};
    return {};
  }
  return at(count - 1 - n, why);
}

message archive::nth_from_end(std::size_t n) const& {
  return detail::or_throw([&](failure& why) { return nth_from_end(n, why); });
}

message archive::at_offset(std::uint64_t offset, failure& why) const& noexcept {
  why = {};
  if (!state_) {
    access::none(why);
    return {};
  }
  if (offset >= state_->bytes().size()) {
    why = {.code = errc::out_of_range, .offset = offset, .expected = state_->bytes().size(), .found = offset};
    return {};
  }
  io::window window(state_->bytes());
  const detail::parsed_message found = detail::parse_message_at(window, offset, state_->options());
  if (found.status == detail::message_status::whole || found.status == detail::message_status::incomplete)
    return access::make_message(*state_, found.message);
  why = found.why;
  return {};
}

message archive::at_offset(std::uint64_t offset) const& {
  return detail::or_throw([&](failure& why) { return at_offset(offset, why); });
}

std::size_t archive::size(failure& why) const noexcept {
  why = {};
  if (!state_) return access::none(why).size();
  const detail::scanner& scan = state_->scan();
  why = scan.advance(SIZE_MAX, UINT64_MAX, {});
  if (!why && scan.stopped_at()) why = access::beyond(*state_, scan.size());
  return scan.size();
}

std::size_t archive::size() const {
  return detail::or_throw([&](failure& why) { return size(why); });
}

progress archive::scan(std::uint64_t max_bytes, const std::stop_token& stop, failure& why) const noexcept {
  why = {};
  if (!state_) {
    access::none(why);
    return {};
  }
  why = state_->scan().advance(UINT64_MAX, max_bytes, stop);
  return scan_progress();
}

progress archive::scan(std::uint64_t max_bytes, const std::stop_token& stop) const {
  return detail::or_throw([&](failure& why) { return scan(max_bytes, stop, why); });
}

progress archive::scan_progress() const noexcept { return state_ ? state_->scan().scan_progress() : progress{}; }

std::vector<gap> archive::gaps() const { return state_ ? state_->scan().gaps() : std::vector<gap>{}; }
std::optional<incomplete_tail> archive::incomplete_tail() const noexcept {
  return state_ ? state_->scan().incomplete_tail() : std::nullopt;
}
std::uint64_t archive::size_bytes() const noexcept { return state_ ? state_->bytes().size() : 0; }
io_mode archive::mode() const noexcept { return state_ ? state_->bytes().mode() : io_mode::automatic; }
bool archive::is_in_memory() const noexcept { return state_ && state_->bytes().in_memory(); }
const char* archive::mode_reason() const noexcept { return state_ ? state_->bytes().mode_reason() : "no archive"; }

const open_options& archive::options() const noexcept {
  static const open_options defaults;
  return state_ ? state_->options() : defaults;
}

TGMAP_ENUM_NAMES(index_trust, 0, "sampled", "checked")

index_status archive::index_status() const noexcept {
  if (!state_) return {};
  const index_file::reader* const index = state_->index().get();
  return {.is_used = index != nullptr,
          .trust = state_->trust(),
          .messages = index == nullptr ? 0 : index->facts().messages,
          .covered_bytes = index == nullptr ? 0 : index->facts().covered,
          .refusal = state_->index_refusal,
          .is_current = state_->is_index_current()};
}

pin archive::pin() const noexcept { return tgmap::pin(state_); }

failure archive::check_not_truncated(const object& object) const noexcept {
  const archive_state* const state = access::state(object.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  failure why = state->bytes().check_not_truncated();
  if (why.code == make_error_code(errc::file_shrank) &&
      wire::fits(object.payload_offset(), object.payload_size(), why.found))
    return {};
  if (why) why.offset = object.payload_offset();
  return detail::with_location(why, object.frame().message(), object.index());
}

failure archive::prefetch(const object& object) const noexcept {
  const archive_state* state = access::state(object.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  return detail::with_location(state->bytes().prefetch(object.payload_offset(), object.payload_size()),
                               object.frame().message(), object.index());
}

void archive::read(std::uint64_t offset, std::span<std::byte> out, failure& why) const noexcept {
  why = {};
  if (!state_) {
    access::none(why);
    return;
  }
  const std::uint64_t size = size_bytes();
  if (wire::fits(offset, out.size(), size))
    why = state_->bytes().read(offset, out);
  else
    why = {.code = errc::read_past_end,
           .offset = std::min(offset, size),
           .expected = size,
           .found = offset > UINT64_MAX - out.size() ? UINT64_MAX : offset + out.size()};
}

void archive::read(std::uint64_t offset, std::span<std::byte> out) const {
  failure why;
  read(offset, out, why);
  detail::raise_if(why);
}

archive archive::reopen(failure& why) const noexcept {
  why = {};
  if (!state_) {
    access::none(why);
    return {};
  }
  archive out = access::make_archive(state_->bytes().refreshed(state_->options(), why), state_->options(), why);
  if (why) return {};
  archive_state& state = access::mutable_state(out);
  detail::fitting_index index{.index = state_->index()};
  // After growth the messages of the index are scanned once: nothing says that they are still the same.
  if (index) index.stamp = detail::current_stamp(*index.index, state.bytes());
  const bool continues = state.bytes().continues(state_->bytes());
  const bool has_same_beginning = continues && index.stamp.has_value() == state_->begins_with_index();
  if (index && continues) why = state.begin_with(std::move(index), state_->trust());
  if (!why && has_same_beginning) why = state.scan().resume(state_->scan());
  if (!why) why = access::set_path(out, state_->path);
  return why ? archive() : out;
}

archive archive::reopen() const {
  return detail::or_throw([&](failure& why) { return reopen(why); });
}

bool archive::is_replaced(failure& why) const noexcept {
  why = {};
  if (state_) return state_->bytes().is_replaced_at(state_->path, why);
  access::none(why);
  return false;
}

bool archive::is_replaced() const {
  return detail::or_throw([&](failure& why) { return is_replaced(why); });
}

void archive::iterator::load() {
  failure why;
  current_ = archive_->at(index_, why);
  if (why.code == make_error_code(errc::out_of_range)) {
    archive_ = nullptr;
    return;
  }
  detail::raise_if(why);
}

}  // namespace v0
}  // namespace tgmap
