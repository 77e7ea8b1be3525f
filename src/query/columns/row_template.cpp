// SPDX-License-Identifier: Apache-2.0
#include "query/columns/row_template.hpp"

#include <algorithm>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/metadata/common_sections.hpp"
#include "archive/metadata/metadata_access.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

bool row_template::assign(const single_object_header& from, metadata& own, metadata& wide) {
  clear();
  columns_.clear();
  values_.clear();
  forget_descriptor();
  const archive_state& state = from.archive();
  places_ = {};
  if (!map_.assign(from.metadata(), state.options().max_cbor_depth) ||
      !find_common_places(state, 1, map_.bytes(), 0, places_))
    return false;
  const metadata_sections sections = common_sections_of(map_.bytes(), places_);
  metadata_access::add(own, state, sections.entry, sections.hidden_entry);
  metadata_access::add_message_wide(wide, state, sections);
  return true;
}

void row_template::add(column to, std::span<const std::byte> item) {
  const auto begin = static_cast<std::size_t>(item.data() - map_.bytes().data());
  columns_.push_back(to);
  values_.push_back({.begin = begin, .end = begin + item.size()});
}

/// Lists the columns of each scalar. An item has at most as many levels around it as read_flat_map() accepts.
void row_template::finish(const single_object_header& of) {
  const auto scalars = map_.scalars();
  const auto scalars_of = [&](const value& each) {
    const auto begin = std::ranges::lower_bound(scalars, each.begin, {}, &cbor::map_template::scalar::begin);
    const auto end = std::ranges::lower_bound(begin, scalars.end(), each.end, {}, &cbor::map_template::scalar::begin);
    return std::span(begin, end);
  };
  first_.assign(scalars.size() + 1, 0);
  for (const value& each : values_)
    for (const auto& scalar : scalars_of(each)) ++first_[static_cast<std::size_t>(&scalar - scalars.data()) + 1];
  for (std::size_t i = 0; i < scalars.size(); ++i) first_[i + 1] += first_[i];
  of_scalar_.resize(first_.back());
  std::vector<std::size_t> next(first_);
  for (std::size_t i = 0; i < values_.size(); ++i)
    for (const auto& scalar : scalars_of(values_[i]))
      of_scalar_[next[static_cast<std::size_t>(&scalar - scalars.data())]++] = i;
  of.keep_places(places_);
  is_set_ = true;
}

bool row_template::match(const single_object_header& of) { return is_set_ && map_.match(of.metadata()); }

void row_template::accept(const single_object_header& of) {
  const auto move = [&](auto& offset) { offset = map_.offset_in_match(static_cast<std::size_t>(offset)); };
  for (std::uint64_t* const each : {&places_.extra, &places_.first_entry, &places_.entry, &places_.reserved})
    move(*each);
  if (!map_.has_equal_sizes())
    for (value& each : values_) {
      move(each.begin);
      move(each.end);
    }
  map_.accept();
  of.keep_places(places_);
}

bool row_template::has_descriptor(std::span<const std::byte> bytes, std::uint64_t region) const noexcept {
  return !descriptor_.empty() && region == region_ && std::ranges::equal(bytes, descriptor_);
}

void row_template::set_descriptor(std::span<const std::byte> bytes, std::uint64_t region) {
  descriptor_.assign(bytes.begin(), bytes.end());
  region_ = region;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
