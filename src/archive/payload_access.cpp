// SPDX-License-Identifier: Apache-2.0
#include "archive/payload_access.hpp"

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/metadata/metadata_sections.hpp"
#include "wire/bytes.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Checks that the file still has all bytes of the payload and the masks. After a cut, the rest of the last page reads
/// as zeros without a signal.
failure check_not_truncated(const object& object, const io::source& bytes) noexcept {
  failure truncated = bytes.check_not_truncated();
  if (truncated.code == make_error_code(errc::file_shrank) &&
      wire::fits(object.payload_offset(), object.payload_and_masks_size(), truncated.found))
    return {};
  if (truncated) truncated.offset = object.payload_offset();
  return truncated;
}

}  // namespace

failure read_region(const object& object, std::uint64_t at, std::span<std::byte> out) noexcept {
  const archive_state* const state = access::state(object.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  if (!wire::fits(at, out.size(), object.payload_and_masks_size()))
    return {.code = errc::mask_out_of_range, .expected = object.payload_and_masks_size(), .found = at};
  return state->bytes().read(object.payload_offset() + at, out);
}

const open_options& options_of(const object& object) noexcept {
  static const open_options defaults;
  const archive_state* const state = access::state(object.frame());
  return state == nullptr ? defaults : state->options();
}

pin pin_of(const object& object) noexcept {
  const archive_state* const state = access::state(object.frame());
  return state == nullptr ? pin() : pin(state->share());
}

bool is_mapped(const object& object) noexcept {
  const archive_state* const state = access::state(object.frame());
  return state != nullptr && state->bytes().mapped() != nullptr;
}

std::span<const std::byte> payload_in_memory(const object& object) noexcept {
  const archive_state* const state = access::state(object.frame());
  if (state == nullptr || state->bytes().may_change() || state->bytes().mapped() == nullptr) return {};
  return {state->bytes().mapped() + object.payload_offset(), static_cast<std::size_t>(object.payload_size())};
}

bool reads_by_calls(const object& object) noexcept {
  const archive_state* const state = access::state(object.frame());
  return state != nullptr && state->bytes().reads_by_calls(object.payload_size());
}

bool may_look(const object& object) noexcept {
  const archive_state* const state = access::state(object.frame());
  return state != nullptr && state->bytes().may_look(object.payload_size());
}

failure look_at_payload(const object& object, void (*look)(void*, std::span<const std::byte>) noexcept,
                        void* context) noexcept {
  const std::uint64_t at = object.payload_offset(), size = object.payload_size();
  const io::source& bytes = access::state(object.frame())->bytes();
  const failure why = bytes.look([&](std::span<const std::byte> all) noexcept {
    look(context, all.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size)));
  });
  return why ? why : check_not_truncated(object, bytes);
}

failure read_payload(const object& object, std::uint64_t at, std::span<std::byte> out) noexcept {
  const archive_state* const state = access::state(object.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  if (!wire::fits(at, out.size(), object.payload_size()))
    return {.code = errc::read_past_end, .expected = object.payload_size(), .found = at + out.size()};
  if (out.empty()) return {};
  const io::source& bytes = state->bytes();
  const failure why = bytes.load(object.payload_offset() + at, out);
  return why || !bytes.direct() ? why : check_not_truncated(object, bytes);
}

std::uint64_t checked_offset_count(const object& object) noexcept {
  const archive_state* const state = access::state(object.frame());
  return state == nullptr ? 0 : state->places().find(object.frame().message().offset(), object.frame().offset());
}

void remember_checked_offsets(const object& object, std::uint64_t count) noexcept {
  if (const archive_state* const state = access::state(object.frame()))
    state->places().add(object.frame().message().offset(), object.frame().offset(), count);
}

failure legacy_szip_flags(const object& object, bool& out) noexcept {
  out = false;
  const archive_state* const state = access::state(object.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  const message_position& message = object.frame().message();
  if (message.version() > 2) return {};
  message_structure structure;
  failure why = find_structure(*state, message, structure);
  if (!why) why = with_location(*state, read_szip_writer(*state, message, structure, out), message);
  return why.code == make_error_code(errc::no_metadata) ? failure{} : why;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
