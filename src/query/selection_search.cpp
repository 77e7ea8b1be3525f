// SPDX-License-Identifier: Apache-2.0
#include <tgmap/query/selection_search.hpp>

#include <cstdint>
#include <new>
#include <tgmap/enum_names.hpp>
#include <utility>

#include "archive/access.hpp"
#include "core/text/enum_table.hpp"
#include "query/columns/key_values.hpp"
#include "query/selection_rule.hpp"

namespace tgmap {
inline namespace v0 {

using detail::selection_rule;

selection_search selection_search::prepare(const archive& in, const selection& wanted, const search_options& options,
                                           failure& why) noexcept {
  why = {};
  selection_search out;
  out.archive_ = in;
  out.wanted_ = wanted;
  out.options_ = options;
  if (options.use_index)
    out.known_ = options.of_objects ? indexed_selection::of_objects(in, wanted, why)
                                    : indexed_selection::of_messages(in, wanted, why);
  return out;
}

selection_search::selection_search(archive in, selection wanted, const search_options& options)
    : archive_(std::move(in)), wanted_(std::move(wanted)), options_(options) {
  if (!options.use_index) return;
  known_ = options.of_objects ? indexed_selection::of_objects(archive_, wanted_)
                              : indexed_selection::of_messages(archive_, wanted_);
}

std::size_t selection_search::next(std::size_t message) const noexcept {
  return selection_rule(wanted_, known_, options_.purpose == search_purpose::count).next(message);
}

bool selection_search::visit(const message& in, const match_receiver& take, search_counts& counts) const {
  if (!options_.of_objects)
    return compare(in, nullptr, selection_rule(wanted_, known_).answer(in.index(), {}), take, counts);
  if (in.version() == 1) return true;
  failure why;
  const std::size_t count = in.size(why);
  return why ? take({.message = in}, why) : visit(in, 0, count, take, counts);
}

bool selection_search::visit(const message& in, const object& one, const match_receiver& take,
                             search_counts& counts) const {
  return compare(in, &one, selection_rule(wanted_, known_).answer(in.index(), one.index()), take, counts);
}

bool selection_search::visit(const message& in, std::size_t first, std::size_t last, const match_receiver& take,
                             search_counts& counts) const {
  bool goes_on = true;
  selection_rule(wanted_, known_).each_object(in.index(), first, last, [&](std::size_t j, index_answer answer) {
    failure why;
    const object one = in.at(j, why);
    goes_on = why ? take({.message = in, .index = j}, why) : compare(in, &one, answer, take, counts);
    return goes_on;
  });
  return goes_on;
}

/// Compares a message, or an object, with the selection.
bool selection_search::compare(const message& in, const object* one, index_answer answer, const match_receiver& take,
                               search_counts& counts) const {
  ++counts.seen;
  if (options_.purpose == search_purpose::count && answer == index_answer::yes) return true;
  const optional_index index = one == nullptr ? optional_index() : optional_index(one->index());
  key_lookup keys = one == nullptr ? key_lookup(in) : key_lookup(in, *one);
  failure why;
  const bool is_match = selection_rule(wanted_, known_).first_match(keys, in, index, answer, why).is_match;
  if (why) return take({.message = in, .index = index, .object = one}, why);
  if (!is_match) return true;
  ++counts.taken;
  return take({.message = in, .index = index, .object = one, .keys = &keys}, why);
}

bool selection_search::visit_messages(std::size_t first, std::size_t last, const match_receiver& take,
                                      search_counts& counts, failure& why) const {
  why = {};
  bool goes_on = true;
  const selection_rule rule(wanted_, known_, options_.purpose == search_purpose::count);
  rule.each_message(archive_, first, last, why, [&](std::size_t, const message& each) {
    goes_on = visit(each, take, counts);
    return goes_on;
  });
  return goes_on && !why;
}

bool selection_search::visit_messages(std::size_t first, std::size_t last, const match_receiver& take,
                                      search_counts& counts) const {
  return detail::or_throw([&](failure& why) { return visit_messages(first, last, take, counts, why); });
}

indexed_keys selection_search::indexed_values(std::span<const metadata_key> keys, failure& why) const noexcept try {
  using detail::key_values;
  why = {};
  if (!options_.use_index) return {};
  const auto rows = options_.of_objects ? key_values::rows::objects : key_values::rows::messages;
  return key_values::shared(key_values::of_selected(archive_, keys, rows, wanted_, known_, why));
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

indexed_keys selection_search::indexed_values(std::span<const metadata_key> keys) const {
  return detail::or_throw([&](failure& why) { return indexed_values(keys, why); });
}

TGMAP_ENUM_NAMES(search_purpose, 0, "visit", "count")

}  // namespace v0
}  // namespace tgmap
