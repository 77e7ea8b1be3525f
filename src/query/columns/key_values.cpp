// SPDX-License-Identifier: Apache-2.0
#include "query/columns/key_values.hpp"

#include <algorithm>
#include <new>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/sequential_reads.hpp"
#include "query/columns/key_walker.hpp"
#include "query/columns/property_values.hpp"
#include "query/key_access.hpp"

namespace tgmap {
inline namespace v0 {

namespace detail {

namespace {

/// Returns the current index of an archive if it lists all messages; otherwise null.
std::shared_ptr<const index_file::reader> whole_index(const archive& of, failure& why) {
  const archive_state* const state = access::state(of);
  if (state == nullptr || !state->is_index_current()) return nullptr;
  const std::size_t messages = of.size(why);
  return !why && state->index()->facts().messages == messages ? state->index() : nullptr;
}

}  // namespace

key_values::key_values(std::shared_ptr<const index_file::reader> index, rows kind, failure& why)
    : index_(std::move(index)),
      from_(*index_, why),
      kind_(kind),
      properties_(std::make_unique<property_values>(from_)) {}

key_values::~key_values() = default;

std::shared_ptr<key_values> key_values::open(const archive& of, rows kind, failure& why) {
  why = {};
  auto index = whole_index(of, why);
  if (!index) return nullptr;
  index->bytes().expect_many();
  std::shared_ptr<key_values> out(new key_values(std::move(index), kind, why));
  return why ? nullptr : out;
}

void key_values::add(const metadata_key& key, failure& why) {
  why = {};
  told_key& out = keys_.emplace_back();
  const bool of_messages = kind_ == rows::messages;
  if (const auto wanted = key_access::only_property(key)) {
    if (!property_values::tells(*wanted, of_messages)) return;
    const auto element = key_access::element(key);
    out.values =
        of_messages ? properties_->of_messages(*wanted, element, why) : properties_->of_objects(*wanted, element, why);
    has_objects_that_differ_ =
        has_objects_that_differ_ || (from_.has_several_objects() && property_values::is_of_objects(*wanted));
  } else if (key_walker::accepts(key.text())) {
    const std::string& name = key.text();
    out.values = of_messages ? from_.of_messages(name, why) : from_.of_objects(name, why);
    has_objects_that_differ_ = has_objects_that_differ_ || from_.has_objects_that_differ(name);
  }
  out.is_complete = !why && out.values && out.values->is_complete() && (of_messages || from_.lists_objects());
}

std::shared_ptr<const key_values> key_values::read(const archive& of, std::span<const metadata_key> keys, rows kind,
                                                   failure& why) {
  why = {};
  auto out = keys.empty() ? nullptr : open(of, kind, why);
  if (!out) return nullptr;
  const sequential_reads reads(*out->index_);
  for (const metadata_key& key : keys) {
    out->add(key, why);
    if (why || !out->keys_.back().is_complete) return nullptr;
  }
  return out;
}

std::shared_ptr<const key_values> key_values::of_selected(const archive& of, std::span<const metadata_key> keys,
                                                          rows kind, const selection& wanted,
                                                          const indexed_selection& known, failure& why) {
  why = {};
  const bool is_answered = known.count(index_answer::yes) + known.count(index_answer::no) != 0;
  if (known.count(index_answer::unknown) != 0 || (!wanted.selects_all() && !is_answered)) return nullptr;
  auto out = read(of, keys, kind, why);
  // The row of a selected message has the value of an object that matches.
  const bool may_differ = out && kind == rows::messages && !wanted.selects_all() && out->has_objects_that_differ();
  return may_differ ? nullptr : std::move(out);
}

indexed_keys key_values::shared(std::shared_ptr<const key_values> values) noexcept {
  indexed_keys out;
  out.values_ = std::move(values);
  return out;
}

}  // namespace detail

namespace {

using detail::key_values;

key_result result_of(std::span<const std::byte> item) noexcept {
  return item.empty() ? key_result() : key_result(cbor_view(item));
}

std::shared_ptr<const key_values> read(const archive& of, std::span<const metadata_key> keys, key_values::rows rows,
                                       failure& why) noexcept try {
  return key_values::read(of, keys, rows, why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return nullptr;
}

}  // namespace

indexed_keys indexed_keys::of_messages(const archive& of, std::span<const metadata_key> keys, failure& why) noexcept {
  indexed_keys out;
  out.values_ = read(of, keys, key_values::rows::messages, why);
  return out;
}
indexed_keys indexed_keys::of_messages(const archive& of, std::span<const metadata_key> keys) {
  return detail::or_throw([&](failure& why) { return of_messages(of, keys, why); });
}
indexed_keys indexed_keys::of_objects(const archive& of, std::span<const metadata_key> keys, failure& why) noexcept {
  indexed_keys out;
  out.values_ = read(of, keys, key_values::rows::objects, why);
  return out;
}
indexed_keys indexed_keys::of_objects(const archive& of, std::span<const metadata_key> keys) {
  return detail::or_throw([&](failure& why) { return of_objects(of, keys, why); });
}

bool indexed_keys::has_objects_that_differ() const noexcept { return values_ && values_->has_objects_that_differ(); }

std::size_t indexed_keys::object_count(std::size_t message) const noexcept {
  return values_ && message < values_->messages() ? static_cast<std::size_t>(values_->objects_of(message).count()) : 0;
}

key_result indexed_keys::find(std::size_t key, std::size_t message) const noexcept {
  return result_of(values_->item(key, message));
}

key_result indexed_keys::find(std::size_t key, std::size_t message, std::size_t object) const noexcept {
  return result_of(values_->item(key, values_->objects_of(message).begin + object));
}

}  // namespace v0
}  // namespace tgmap
