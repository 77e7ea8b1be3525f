// SPDX-License-Identifier: Apache-2.0
#include "query/columns/key_plan.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/sequential_reads.hpp"
#include "core/seeded_hash.hpp"
#include "query/key_access.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

std::size_t kept_columns(std::size_t columns, std::uint64_t rows, std::uint64_t values) noexcept {
  constexpr std::uint64_t many_cells = 1 << 24, cells_per_value = 64;
  const std::uint64_t most = std::max(many_cells, cells_per_value * values);
  return static_cast<std::size_t>(std::min<std::uint64_t>(columns, most / std::max<std::uint64_t>(rows, 1)));
}

key_plan::key_plan(const archive& from, std::span<const metadata_key> keys, const key_columns_options& options,
                   failure& why)
    : from_(&from), options_(&options) {
  why = {};
  known_ = options.of_objects ? indexed_selection::of_objects(from, options.where, why)
                              : indexed_selection::of_messages(from, options.where, why);
  const archive_state* const state = access::state(from);
  std::optional<sequential_reads> reads;  // also of its columns and their names
  if (state != nullptr && state->index() != nullptr) reads.emplace(*state->index());
  if (!why) open_index(keys, why);
  for (const metadata_key& each : keys)
    if (!why) add(each, why);
  asked_ = keys_.size();
  if (why || !options.all_keys) return;
  const bool lists_all = index_ && index_->values().lists_all_keys();
  reads_all_ = reads_all_ || !lists_all;
  walker_.collect(options.wants_key);  // messages that the index does not describe may have other keys
  if (!why && (!options.wants_key || options.wants_key("name")) &&
      std::ranges::none_of(keys, [](const metadata_key& each) { return each.text() == "name"; }))
    add(metadata_key::parse("name", why), why);  // a descriptor may have it
  if (lists_all && !why) add_listed(why);
}

/// Adds the keys that the index lists. Leaves out those of few messages if there are too many, as
/// key_columns::omitted says.
void key_plan::add_listed(failure& why) {
  core::text_set<> asked;
  for (const planned_key& each : keys_) asked.insert(each.key.text());
  std::vector<index_values::listed_key> listed;
  std::uint64_t present = 0;
  for (index_values::listed_key& each : index_->values().keys())
    if (each.has_values() && key_walker::accepts(each.name) && !asked.contains(each.name) &&
        (!options_->wants_key || options_->wants_key(each.name))) {
      present += each.present;
      listed.push_back(std::move(each));
    }
  std::ranges::stable_sort(listed, std::ranges::greater(), &index_values::listed_key::present);
  const std::uint64_t rows = options_->of_objects ? index_->values().objects() : index_->messages();
  const std::size_t kept = kept_columns(listed.size(), rows, present);
  for (std::size_t i = 0; i < listed.size() && !why; ++i)
    if (i < kept)
      add(metadata_key::parse(listed[i].name, why), why);
    else
      omitted_.push_back(listed[i].name);
}

/// Opens the index, unless it tells other values than those of the objects that a selection of messages matches.
void key_plan::open_index(std::span<const metadata_key> keys, failure& why) {
  const bool of_objects = options_->of_objects;
  index_ = key_values::open(*from_, of_objects ? key_values::rows::objects : key_values::rows::messages, why);
  if (!index_ || of_objects || !selects()) return;
  const bool may_differ = index_->values().has_several_objects();
  if (may_differ && (options_->all_keys || std::ranges::any_of(keys, [&](const metadata_key& each) {
                       return key_access::only_property(each) || index_->values().has_objects_that_differ(each.text());
                     })))
    index_.reset();
}

void key_plan::add(const metadata_key& key, failure& why) {
  planned_key& out = keys_.emplace_back(planned_key{.key = key});
  const std::size_t number = keys_.size() - 1;
  if (index_) index_->add(key, why);
  if (why) return;
  const bool is_path = key_walker::accepts(key.text());
  if (index_ && index_->is_complete(number)) {
    out.from = source::index;
    if (is_path && options_->all_keys) walker_.add(key.text());  // it is not collected
    return;
  }
  if (index_ && index_->tells(number))
    incomplete_.push_back(number);
  else
    reads_all_ = true;
  const auto property = key_access::only_property(key);
  needs_properties_ = needs_properties_ || (property && is_of_descriptor(*property));
  needs_name_ = needs_name_ || key.text() == "name";
  if (!is_path) return;
  out.from = source::walk;
  out.path = walker_.add(key.text());
}

bool key_plan::tells_row(std::uint64_t row) const noexcept {
  return std::ranges::all_of(incomplete_, [&](std::size_t key) { return index_->is_known(key, row); });
}

bool key_plan::find_row(std::uint64_t message, std::uint64_t object, std::uint64_t& out) const noexcept {
  out = message;
  if (message >= index_->messages()) return false;
  if (!options_->of_objects) return true;
  const index_file::row_run objects = index_->objects_of(message);
  out = objects.begin + object;
  return object < objects.count();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
