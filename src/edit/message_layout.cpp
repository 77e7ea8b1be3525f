// SPDX-License-Identifier: Apache-2.0
#include "edit/message_layout.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tgmap/mapping_guard.hpp>

#include "core/text/hex.hpp"

namespace tgmap::edit {

namespace {

constexpr std::uint16_t frame_has_hash = 2;  // a frame flag; Spec: §2.4

// Preamble flags for a list in the header and in the footer; Spec: §2.1.
constexpr std::uint16_t index_flags[] = {1 << 2, 1 << 3};
constexpr std::uint16_t hash_list_flags[] = {1 << 4, 1 << 5};
constexpr std::uint16_t list_flags = 15 << 2, hashes_flag = 1 << 7;

/// Returns a copy of the body, which stays valid if the file shrinks.
std::vector<std::byte> copy_body(const frame& of) {
  const auto bytes = of.body();
  std::vector<std::byte> out(bytes.size());
  detail::raise_if(mapping_guard::run([&]() noexcept { std::memcpy(out.data(), bytes.data(), bytes.size()); }));
  return out;
}

/// Returns true if the array under `key` has `count` elements and all of them satisfy `is_expected`.
template <class IsExpected>
bool has_array(const cbor_view& map, std::string_view key, std::size_t count, IsExpected&& is_expected) {
  const auto all = map.find(key);
  if (!all || all->kind() != cbor_kind::array || all->size() != count) return false;
  bool matches = true;
  const bool is_complete = all->visit([&](std::uint64_t i, const cbor_view& each) {
    matches = i < count && is_expected(static_cast<std::size_t>(i), each);
    return matches;
  });
  return matches && is_complete;
}

bool is_index_of(const cbor_view& map, const std::vector<frame>& objects) {
  const auto offset = [&](std::size_t i, const cbor_view& each) {
    return each.get<std::uint64_t>() == objects[i].offset_in_message();
  };
  const auto length = [&](std::size_t i, const cbor_view& each) {
    return each.get<std::uint64_t>() == objects[i].length();
  };
  return has_array(map, "offsets", objects.size(), offset) && has_array(map, "lengths", objects.size(), length);
}

bool is_hash_list_of(const cbor_view& map, const std::vector<std::optional<std::uint64_t>>& hashes) {
  return has_array(map, "hashes", hashes.size(), [&](std::size_t i, const cbor_view& each) {
    const auto digits = core::hex_digits(hashes[i].value_or(0));
    return each.get<std::string_view>() == std::string_view(digits.data(), hashes[i] ? digits.size() : 0);
  });
}

bool is_either(frame_type type, frame_type header, frame_type footer) { return type == header || type == footer; }

}  // namespace

message_layout::message_layout(const message& m) : message_(m) {
  for (const frame& each : m.frames()) {
    if (m.version() >= 3 && (!each.stored_hash() || (each.flags() & frame_has_hash) == 0)) has_hashes_ = false;
    (each.is_object() ? objects_ : others_).push_back(each);
  }
  for (std::size_t j = 0; j < objects_.size(); ++j) {
    if (m.version() >= 3) {
      hashes_.push_back(objects_[j].stored_hash());
      continue;
    }
    objects_v2_.push_back(m[j]);
    hashes_.push_back(objects_v2_.back().stored_hash());
    has_hashes_ = has_hashes_ && hashes_.back();
  }
  if (m.version() >= 3 && (m.flags() & hashes_flag) == 0) has_hashes_ = false;
  for (const frame& each : others_) inspect(each);

  const auto flag = [](const list& of, const std::uint16_t(&flags)[2]) {
    return (of.in_header ? flags[0] : 0) | (of.in_footer ? flags[1] : 0);
  };
  const bool flags_match = (m.flags() & list_flags) == (flag(index_, index_flags) | flag(hash_list_, hash_list_flags));
  index_.is_correct = index_.is_correct && flags_match;
  hash_list_.is_correct = hash_list_.is_correct && flags_match;
}

void message_layout::inspect(const frame& of) {
  const bool index = is_either(of.type(), frame_type::header_index, frame_type::footer_index);
  if (!index && !is_either(of.type(), frame_type::header_hash, frame_type::footer_hash)) return;
  list& found = index ? index_ : hash_list_;
  const bool in_header = is_either(of.type(), frame_type::header_index, frame_type::header_hash);
  bool& is_present = in_header ? found.in_header : found.in_footer;
  const std::vector<std::byte> body = copy_body(of);
  const cbor_view map{std::span(body)};
  if (is_present || !(index ? is_index_of(map, objects_) : is_hash_list_of(map, hashes_))) found.is_correct = false;
  is_present = true;
}

bool message_layout::list::is_at(index_placement where, bool needed) const noexcept {
  const bool is_both = where == index_placement::both;
  return is_correct && in_header == (needed && (is_both || where == index_placement::header)) &&
         in_footer == (needed && (is_both || where == index_placement::footer));
}

bool message_layout::has_index(index_placement where) const noexcept { return index_.is_at(where, !objects_.empty()); }

bool message_layout::has_hash_list(index_placement where) const noexcept {
  return hash_list_.is_at(where, !objects_.empty());
}

bool message_layout::has_no_hashes() const {
  if (!has_hash_list(index_placement::none) || (message_.flags() & hashes_flag) != 0) return false;
  const auto has_one = [](const frame& f) { return f.stored_hash() || (f.flags() & frame_has_hash) != 0; };
  if (message_.version() >= 3 &&
      (std::any_of(objects_.begin(), objects_.end(), has_one) || std::any_of(others_.begin(), others_.end(), has_one)))
    return false;
  for (std::size_t j = 0; j < message_.size(); ++j)
    if (message_[j].descriptor().entries.find("hash")) return false;
  return true;
}

bool message_layout::hashes_match() const {
  const auto matches = [](const auto& each) { return each.verify() == hash_result::match; };
  if (!objects_v2_.empty()) return std::all_of(objects_v2_.begin(), objects_v2_.end(), matches);
  return std::all_of(objects_.begin(), objects_.end(), matches) && std::all_of(others_.begin(), others_.end(), matches);
}

bool message_layout::has_current_hashes() const {
  const bool is_listed = has_hash_list(index_placement::header) || has_hash_list(index_placement::footer) ||
                         has_hash_list(index_placement::both);
  return is_listed && has_hashes() && hashes_match();
}

}  // namespace tgmap::edit
