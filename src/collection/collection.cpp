// SPDX-License-Identifier: Apache-2.0
// Many archives as one sequence: messages, numbers and addresses.
#include <tgmap/tools/collection.hpp>

#include <algorithm>
#include <tgmap/tools/address.hpp>
#include <utility>

#include "collection/collection_state.hpp"
#include "core/or_throw.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

bool is_whole_file(const archive_place& at) noexcept { return at.offset == 0 && at.length == UINT64_MAX; }

failure beyond(std::uint64_t count, std::uint64_t number) noexcept {
  return {.code = errc::out_of_range, .expected = count, .found = number};
}

}  // namespace

collection::collection(std::vector<archive_place> places, const collection_options& options)
    : collection(core::or_throw([&](failure& why) { return open(std::move(places), options, why); })) {}

collection collection::open(std::vector<archive_place> places, const collection_options& options, failure& why) {
  why = {};
  collection out;
  out.state_ = std::make_shared<detail::collection_state>(std::move(places), options, why);
  return why ? collection() : out;
}

std::size_t collection::archive_count() const noexcept { return state_ ? state_->places().size() : 0; }
const archive_place& collection::place(std::size_t archive) const noexcept { return state_->places()[archive]; }
std::size_t collection::open_count() const noexcept { return state_ ? state_->open_count() : 0; }

tgmap::archive collection::archive(std::size_t number, failure& why) const {
  why = number < archive_count() ? failure() : beyond(archive_count(), number);
  return why ? tgmap::archive() : state_->open(number, why);
}

tgmap::archive collection::archive(std::size_t number) const {
  return core::or_throw([&](failure& why) { return archive(number, why); });
}

std::size_t collection::size_of(std::size_t archive) const {
  detail::raise_if(archive < archive_count() ? failure() : beyond(archive_count(), archive));
  return static_cast<std::size_t>(state_->count(archive));
}

std::size_t collection::size() const {
  return state_ ? static_cast<std::size_t>(state_->first_message(archive_count())) : 0;
}

collected_message collection::at(const collection_address& address, failure& why) const {
  collected_message out{.address = address, .archive = archive(address.archive, why)};
  if (!why) out.message = out.archive.at(address.message, why);
  return why ? collected_message() : out;
}

collected_message collection::operator[](const collection_address& address) const {
  return core::or_throw([&](failure& why) { return at(address, why); });
}

collected_message collection::at(std::size_t number, failure& why) const {
  const collection_address address = address_of(number, why);
  return why ? collected_message() : at(address, why);
}

collected_message collection::operator[](std::size_t number) const {
  return core::or_throw([&](failure& why) { return at(number, why); });
}

collection_address collection::address_of(std::size_t number, failure& why) const {
  why = state_ ? failure() : beyond(0, number);
  if (why) return {};
  const std::size_t archive = state_->archive_of(number, why);
  if (why) return {};
  return {.archive = archive, .message = number - static_cast<std::size_t>(state_->first_message(archive))};
}

collection_address collection::address_of(std::size_t number) const {
  return core::or_throw([&](failure& why) { return address_of(number, why); });
}

std::size_t collection::number_of(const collection_address& address, failure& why) const {
  why = address.archive < archive_count() ? failure() : beyond(archive_count(), address.archive);
  if (why) return 0;
  const std::uint64_t messages = state_->count(address.archive);
  if (address.message >= messages) why = beyond(messages, address.message);
  return why ? 0 : static_cast<std::size_t>(state_->first_message(address.archive)) + address.message;
}

std::size_t collection::number_of(const collection_address& address) const {
  return core::or_throw([&](failure& why) { return number_of(address, why); });
}

std::string collection::text_of(const collection_address& address, failure& why) const {
  why = address.archive < archive_count() ? failure() : beyond(archive_count(), address.archive);
  if (why) return {};
  const archive_place& at_place = place(address.archive);
  std::string out = at_place.path.string();
  if (is_whole_file(at_place)) {
    out += ":" + std::to_string(address.message);
  } else {
    const collected_message found = at(address, why);
    if (why) return {};
    out += "@" + std::to_string(at_place.offset + found.message.offset());
  }
  if (address.object) out += ":" + std::to_string(*address.object);
  return out;
}

std::string collection::text_of(const collection_address& address) const {
  return core::or_throw([&](failure& why) { return text_of(address, why); });
}

collection_address collection::parse_address(std::string_view text, failure& why) const {
  const auto find_place = [&](const std::string& path, std::uint64_t offset) {
    for (std::size_t i = 0; i < archive_count(); ++i) {
      const archive_place& each = place(i);
      if (each.path.native() == path && offset >= each.offset && offset - each.offset < each.length) return i;
    }
    return archive_count();
  };
  const auto has_path = [&](const std::string& path) {
    for (std::size_t i = 0; i < archive_count(); ++i)
      if (place(i).path.native() == path) return true;
    return false;
  };
  const archive_address parsed = archive_address::parse(text, has_path, why);
  if (why) return {};
  const std::size_t archive = find_place(parsed.file, parsed.offset.value_or(0));
  if (archive == archive_count() || !parsed.one_message() || (parsed.objects && !parsed.objects->single))
    why = {.code = errc::bad_address, .found = archive == archive_count() ? 1 : parsed.file.size() + 1};
  if (why) return {};
  collection_address out{.archive = archive};
  const std::uint64_t messages = state_->count(archive);
  if (parsed.offset) {
    const tgmap::archive in = this->archive(archive, why);
    const tgmap::message found = why ? tgmap::message() : in.at_offset(*parsed.offset - place(archive).offset, why);
    if (!why && !found.index()) why = {.code = errc::bad_address, .found = parsed.file.size() + 1};
    if (why) return {};
    out.message = *found.index();
  } else {
    const std::uint64_t number = to_bounds(*parsed.messages, messages).begin;
    if (number >= messages) why = beyond(messages, number);
    if (why) return {};
    out.message = static_cast<std::size_t>(number);
  }
  if (!parsed.objects) return out;
  const collected_message found = at(out, why);
  const std::uint64_t objects = why ? 0 : found.message.size(why);
  const std::uint64_t number = to_bounds(*parsed.objects, objects).begin;
  if (!why && number >= objects) why = beyond(objects, number);
  if (why) return {};
  out.object = number;
  return out;
}

collection_address collection::parse_address(std::string_view text) const {
  return core::or_throw([&](failure& why) { return parse_address(text, why); });
}

std::vector<collection_failure> collection::failures() const {
  return state_ ? state_->failures() : std::vector<collection_failure>();
}

}  // namespace v0
}  // namespace tgmap
