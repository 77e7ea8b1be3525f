// SPDX-License-Identifier: Apache-2.0
// The throwing door: every member calls its twin.
#include <tgmap/archive.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/state.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

/// Apart from its callers: those of them that mostly have their answer at hand stay short.
template <class Call>
[[gnu::noinline, gnu::cold]] auto thrown(Call&& call) {
  failure why;
  auto result = std::forward<Call>(call)(why);
  detail::raise_if(why);
  return result;
}

/// Any object, met before or not.
[[gnu::noinline]] object recalled_or_found(const message& of, std::size_t j) {
  const detail::archive_state* const state = detail::access::state(of);
  if (detail::object_facts facts; state != nullptr && state->objects().find(of.position(), j, facts))
    return detail::access::make_object(*state, of.position(), j, facts);
  return thrown([&of, j](failure& why) { return of.at(j, why); });
}

}  // namespace

std::span<const std::byte> message::bytes() const {
  return thrown([&](failure& why) { return bytes(why); });
}
std::size_t message::size() const {
  return thrown([&](failure& why) { return size(why); });
}
object message::operator[](std::size_t j) const {
  // Facts that stay in registers: hence no other way to them in here.
  const auto number = position_.index();
  if (detail::object_facts facts; state_ != nullptr && j == 0 && number && state_->objects().find_only(*number, facts))
    return detail::access::make_object(*state_, position_, j, facts);
  return recalled_or_found(*this, j);
}
index_location message::index_location() const {
  return thrown([&](failure& why) { return index_location(why); });
}
std::optional<cbor_view> message::hash_list() const {
  return thrown([&](failure& why) { return hash_list(why); });
}
metadata message::metadata() const {
  return thrown([&](failure& why) { return metadata(why); });
}
message_summary message::summary() const {
  return thrown([&](failure& why) { return summary(why); });
}
metadata message::base(std::size_t j) const {
  return thrown([&](failure& why) { return base(j, why); });
}
metadata message::provenance() const {
  return thrown([&](failure& why) { return provenance(why); });
}
frame_range message::frames() const {
  return thrown([&](failure& why) { return frames(why); });
}
metadata object::metadata() const {
  return thrown([&](failure& why) { return metadata(why); });
}

archive::archive(const std::filesystem::path& path, const open_options& options) {
  failure why;
  *this = open(path, options, why);
  if (!why) return;
  if (why.code == make_error_code(errc::out_of_memory)) detail::raise(why);
  throw error(why, "cannot open '" + path.string() + "'");
}

archive archive::from_descriptor(int descriptor, const open_options& options) {
  return thrown([&](failure& why) { return from_descriptor(descriptor, options, why); });
}
archive archive::from_memory(std::span<const std::byte> bytes, const open_options& options) {
  return thrown([&](failure& why) { return from_memory(bytes, options, why); });
}
archive archive::from_memory(std::vector<std::byte>&& bytes, const open_options& options) {
  return thrown([&](failure& why) { return from_memory(std::move(bytes), options, why); });
}
archive archive::from_stream(std::istream& stream, const open_options& options) {
  return thrown([&](failure& why) { return from_stream(stream, options, why); });
}
message archive::operator[](std::size_t i) const& {
  if (state_ && i < state_->scan().table().size())
    return detail::access::make_message(*state_, state_->scan().table()[i]);
  return thrown([this, i](failure& why) { return at(i, why); });
}
message archive::nth_from_end(std::size_t n) const& {
  return thrown([&](failure& why) { return nth_from_end(n, why); });
}
message archive::at_offset(std::uint64_t offset) const& {
  return thrown([&](failure& why) { return at_offset(offset, why); });
}
std::size_t archive::size() const {
  return thrown([&](failure& why) { return size(why); });
}
progress archive::scan(std::uint64_t max_bytes, const std::stop_token& stop) const {
  return thrown([&](failure& why) { return scan(max_bytes, stop, why); });
}
void archive::read(std::uint64_t offset, std::span<std::byte> out) const {
  failure why;
  read(offset, out, why);
  detail::raise_if(why);
}
archive archive::reopen() const {
  return thrown([&](failure& why) { return reopen(why); });
}

}  // namespace v0
}  // namespace tgmap
