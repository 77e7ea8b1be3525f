// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/import/merge_plan.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "bridge/grib/sections/section_digest.hpp"

namespace tgmap::bridge::grib {

namespace {

bool is_same_message(const merge_plan::place& a, const merge_plan::place& b) noexcept {
  return a.input == b.input && a.offset == b.offset;
}

void append_digest(std::vector<std::byte>& to, const section_digest& digest) {
  const auto bytes = std::as_bytes(std::span(&digest, 1));
  to.insert(to.end(), bytes.begin(), bytes.end());
}

}  // namespace

void merge_plan::add(const batch_item& item) {
  const auto [at, is_new] = groups_.try_emplace(item.group_key, groups_.size());
  places_.push_back(
      {item.entry->input, item.entry->range.offset, item.entry->range.size, item.field.from.number, at->second});
}

void merge_plan::sort() {
  groups_.clear();
  std::stable_sort(places_.begin(), places_.end(), [](const place& a, const place& b) { return a.group < b.group; });
}

std::vector<std::byte> group_key_of(const field& from, const cbor_value& keys, std::span<const std::string> merged,
                                    failure& why) {
  std::vector<std::byte> out;
  const auto mars = keys.view().find("mars");
  if (mars) {
    cbor_value common = cbor_value::copy(*mars, why);
    for (const std::string& each : merged) {
      if (why) return {};
      common.erase(each, why);
    }
    if (why) return {};
    const auto bytes = common.encoded();
    out.assign(bytes.begin(), bytes.end());
  } else {
    append_digest(out, digest_of_keys(from));
  }
  append_digest(out, digest_of_grid(from));
  return out;
}

bool planned_reader::next(message_batch& out, failure& why) {
  why = {};
  out.entries.clear();
  out.bytes = 0;
  const auto all = plan_.places();
  const std::size_t begin = position_;
  std::uint64_t bytes = 0;
  for (; position_ < all.size(); ++position_) {
    const bool begins_group = position_ == begin || all[position_].group != all[position_ - 1].group;
    if (begins_group && bytes >= batch_bytes_) break;
    if (position_ == begin || !is_same_message(all[position_], all[position_ - 1])) bytes += all[position_].size;
  }
  if (position_ == begin) return false;
  if (!out.memory.reserve(bytes, 0)) {
    why = {.code = tgmap::errc::out_of_memory, .found = bytes};
    return false;
  }
  out.bytes = bytes;
  std::size_t used = 0;
  failure of_input;
  byte_view message;
  for (std::size_t i = begin; i < position_; ++i) {
    const merge_plan::place& at = all[i];
    batch_entry entry{.input = at.input, .group = at.group, .only_field = at.field};
    if (i == begin || !is_same_message(at, all[i - 1])) {
      const std::span<std::byte> into(out.memory.data() + used, static_cast<std::size_t>(at.size));
      of_input = {};
      inputs_[at.input]->read_again(at.offset, into, of_input);
      used += into.size();
      message = into;
    }
    entry.range = {at.offset, at.size, message, of_input};
    if (of_input) entry.what = batch_entry::kind::input_failed;
    out.entries.push_back(entry);
  }
  return true;
}

}  // namespace tgmap::bridge::grib
