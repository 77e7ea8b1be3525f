// SPDX-License-Identifier: Apache-2.0
#include "cli/rewrite/arrangement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <tgmap/mapping_guard.hpp>

namespace tgmap::cli {

namespace {

constexpr std::uint16_t frame_has_digest = 2;                  // flag of a frame (§2.4)
constexpr std::uint16_t index_flags[] = {1 << 2, 1 << 3};      // of the preamble (§2.1): header, footer
constexpr std::uint16_t hash_list_flags[] = {1 << 4, 1 << 5};  // the same
constexpr std::uint16_t list_flags = 15 << 2, digests_flag = 1 << 7;

/// A copy: the bytes may go while they are looked at.
std::vector<std::byte> body_of_list(const frame& of) {
  const auto bytes = of.body();
  std::vector<std::byte> out(bytes.size());
  detail::raise_if(mapping_guard::run([&]() noexcept { std::memcpy(out.data(), bytes.data(), bytes.size()); }));
  return out;
}

/// Whether a list in a map has an element for each object, which is what `wanted` says of it.
template <class Wanted>
bool lists(const cbor_view& map, std::string_view key, std::size_t count, Wanted&& wanted) {
  const auto all = map.find(key);
  if (!all || all->kind() != cbor_kind::array || all->size() != count) return false;
  bool right = true;
  const bool whole = all->visit([&](std::uint64_t i, const cbor_view& each) {
    right = i < count && wanted(static_cast<std::size_t>(i), each);
    return right;
  });
  return right && whole;
}

bool is_index_of(const cbor_view& map, const std::vector<frame>& objects) {
  const auto offset = [&](std::size_t i, const cbor_view& each) {
    return each.get<std::uint64_t>() == objects[i].offset_in_message();
  };
  const auto length = [&](std::size_t i, const cbor_view& each) {
    return each.get<std::uint64_t>() == objects[i].length();
  };
  return lists(map, "offsets", objects.size(), offset) && lists(map, "lengths", objects.size(), length);
}

bool is_list_of(const cbor_view& map, const std::vector<std::optional<std::uint64_t>>& hashes) {
  return lists(map, "hashes", hashes.size(), [&](std::size_t i, const cbor_view& each) {
    return each.get<std::string_view>() == (hashes[i] ? fmt::format("{:016x}", *hashes[i]) : std::string());
  });
}

bool is_of(frame_type type, frame_type header, frame_type footer) { return type == header || type == footer; }

}  // namespace

arrangement::arrangement(const message& m) : of_(m) {
  for (const frame& each : m.frames()) {
    if (m.version() >= 3 && (!each.stored_hash() || (each.flags() & frame_has_digest) == 0)) digests_ = false;
    (each.is_object() ? objects_ : others_).push_back(each);
  }
  for (std::size_t j = 0; j < objects_.size(); ++j) {
    if (m.version() >= 3) {
      hashes_.push_back(objects_[j].stored_hash());
      continue;
    }
    read_.push_back(m[j]);
    hashes_.push_back(read_.back().stored_hash());
    digests_ = digests_ && hashes_.back();
  }
  if (m.version() >= 3 && (m.flags() & digests_flag) == 0) digests_ = false;
  for (const frame& each : others_) look_into(each);

  const auto flag = [](const list& of, const std::uint16_t(&flags)[2]) {
    return (of.header ? flags[0] : 0) | (of.footer ? flags[1] : 0);
  };
  const bool announced = (m.flags() & list_flags) == (flag(index_, index_flags) | flag(hash_list_, hash_list_flags));
  index_.right = index_.right && announced;
  hash_list_.right = hash_list_.right && announced;
}

void arrangement::look_into(const frame& of) {
  const bool index = is_of(of.type(), frame_type::header_index, frame_type::footer_index);
  if (!index && !is_of(of.type(), frame_type::header_hash, frame_type::footer_hash)) return;
  list& which = index ? index_ : hash_list_;
  const bool front = is_of(of.type(), frame_type::header_index, frame_type::header_hash);
  bool& there = front ? which.header : which.footer;
  const std::vector<std::byte> body = body_of_list(of);
  const cbor_view says{std::span(body)};
  if (there || !(index ? is_index_of(says, objects_) : is_list_of(says, hashes_))) which.right = false;
  there = true;
}

bool arrangement::list::is(index_placement where, bool needed) const noexcept {
  const bool in_front = needed && where == index_placement::header, behind = needed && where == index_placement::footer;
  return right && header == in_front && footer == behind;
}

bool arrangement::has_index(index_placement where) const noexcept { return index_.is(where, !objects_.empty()); }

bool arrangement::has_hash_list(index_placement where) const noexcept {
  return hash_list_.is(where, !objects_.empty());
}

bool arrangement::free_of_digests() const {
  if (!has_hash_list(index_placement::none) || (of_.flags() & digests_flag) != 0) return false;
  const auto has_one = [](const frame& f) { return f.stored_hash() || (f.flags() & frame_has_digest) != 0; };
  if (of_.version() >= 3 &&
      (std::any_of(objects_.begin(), objects_.end(), has_one) || std::any_of(others_.begin(), others_.end(), has_one)))
    return false;
  for (std::size_t j = 0; j < of_.size(); ++j)
    if (of_[j].descriptor().entries.find("hash")) return false;
  return true;
}

bool arrangement::digests_match() const {
  const auto matches = [](const auto& each) { return each.verify() == hash_result::match; };
  if (!read_.empty()) return std::all_of(read_.begin(), read_.end(), matches);
  return std::all_of(objects_.begin(), objects_.end(), matches) && std::all_of(others_.begin(), others_.end(), matches);
}

}  // namespace tgmap::cli
