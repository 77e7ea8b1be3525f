// SPDX-License-Identifier: Apache-2.0
#include "archive/decoding.hpp"

#include <charconv>
#include <new>
#include <string_view>

#include "archive/access.hpp"
#include "archive/state.hpp"
#include "wire/bytes.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Whether a release such as "0.6.1" came before 0.7.0. What is no release did not.
bool before_0_7(std::string_view release) noexcept {
  unsigned parts[2] = {0, 0};
  for (unsigned& part : parts) {
    const auto [end, why] = std::from_chars(release.data(), release.data() + release.size(), part);
    if (why != std::errc()) return false;
    release.remove_prefix(static_cast<std::size_t>(end - release.data()));
    if (release.starts_with('.')) release.remove_prefix(1);
  }
  return parts[0] == 0 && parts[1] < 7;
}

/// Whether the file has all its bytes still: the rest of a last page reads as zeros, without a signal.
failure still_there(const object& of, const io::source& bytes) noexcept {
  failure gone = bytes.whole();
  if (gone) gone.offset = of.payload_offset();
  return gone;
}

}  // namespace

failure read_region(const object& of, std::uint64_t at, std::span<std::byte> out) noexcept {
  const archive_state* const state = access::state(of.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  if (!wire::fits(at, out.size(), of.region_size()))
    return {.code = errc::mask_range, .expected = of.region_size(), .found = at};
  return state->bytes().read(of.payload_offset() + at, out);
}

const open_options& options_of(const object& of) noexcept {
  static const open_options defaults;
  const archive_state* const state = access::state(of.frame());
  return state == nullptr ? defaults : state->options();
}

bool is_mapped(const object& of) noexcept {
  const archive_state* const state = access::state(of.frame());
  return state != nullptr && state->bytes().mapped() != nullptr;
}

std::span<const std::byte> payload_in_memory(const object& of) noexcept {
  const archive_state* const state = access::state(of.frame());
  if (state == nullptr || state->bytes().in_file() || state->bytes().mapped() == nullptr) return {};
  return {state->bytes().mapped() + of.payload_offset(), static_cast<std::size_t>(of.payload_size())};
}

bool may_look(const object& of) noexcept {
  const archive_state* const state = access::state(of.frame());
  return state != nullptr && state->bytes().direct();
}

failure look_at_payload(const object& of, void (*look)(void*, std::span<const std::byte>) noexcept,
                        void* context) noexcept {
  const std::uint64_t at = of.payload_offset(), size = of.payload_size();
  const io::source& bytes = access::state(of.frame())->bytes();
  const failure why = bytes.look([&](std::span<const std::byte> all) noexcept {
    look(context, all.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size)));
  });
  return why ? why : still_there(of, bytes);
}

failure read_payload(const object& of, std::uint64_t at, std::span<std::byte> out) noexcept {
  const archive_state* const state = access::state(of.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  if (!wire::fits(at, out.size(), of.payload_size()))
    return {.code = errc::read_beyond, .expected = of.payload_size(), .found = at + out.size()};
  if (out.empty()) return {};
  const io::source& bytes = state->bytes();
  const failure why = bytes.load(of.payload_offset() + at, out);
  return why || !bytes.direct() ? why : still_there(of, bytes);
}

std::uint64_t proven_places_of(const object& of) noexcept {
  const archive_state* const state = access::state(of.frame());
  return state == nullptr ? 0 : state->places().find(of.frame().message().offset, of.frame().offset());
}

void remember_proven_places(const object& of, std::uint64_t count) noexcept {
  if (const archive_state* const state = access::state(of.frame()))
    state->places().add(of.frame().message().offset, of.frame().offset(), count);
}

bool wrote_legacy_szip(const std::optional<std::string>& encoder, const std::optional<std::string>& release) noexcept {
  return (!encoder || *encoder == "tensogram") && (!release || before_0_7(*release));
}

failure legacy_szip_flags(const object& of, bool& out) noexcept try {
  out = false;
  const archive_state* const state = access::state(of.frame());
  if (state == nullptr) return {.code = errc::no_archive};
  if (of.frame().message().version > 2) return {};
  failure why;
  const metadata wrote = access::make_message(*state, of.frame().message()).reserved(why);
  if (why) return why.code == errc::no_metadata ? failure{} : why;
  const auto name = wrote.find("encoder.name"), release = wrote.find("encoder.version");
  const auto text = [](const std::optional<value>& from) { return from ? std::optional(from->text()) : std::nullopt; };
  out = wrote_legacy_szip(text(name), text(release));
  return {};
} catch (const std::bad_alloc&) {
  return {.code = errc::out_of_memory};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
