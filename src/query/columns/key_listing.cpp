// SPDX-License-Identifier: Apache-2.0
// Lists the keys of an archive, by its index or by one pass over its metadata.
#include <tgmap/query/key_listing.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <new>

#include "archive/sequential_reads.hpp"
#include "query/columns/column_builder.hpp"
#include "query/columns/key_values.hpp"
#include "query/columns/key_walker.hpp"
#include "query/key_access.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::column_builder;
using detail::found_items;
using detail::index_values;
using detail::key_walker;

constexpr std::size_t max_values = 1 << 16, max_all_values = 1 << 20;

std::vector<cbor_kind> kinds_in(std::uint32_t bits) {
  std::vector<cbor_kind> out;
  for (; bits != 0; bits &= bits - 1) out.push_back(static_cast<cbor_kind>(std::countr_zero(bits)));
  return out;
}

void sort_by_name(key_listing& out) { std::ranges::sort(out.keys, {}, &key_summary::key); }

/// Returns the different values in the columns of a key.
std::uint64_t count_values(const index_values& from, std::string_view key, bool& has_more, failure& why) {
  column_builder values;
  for (const detail::named_column& each : from.columns()) {
    if (each.name != key || why) continue;
    const auto take = [&](auto, index_file::row_run) { has_more = true; };  // values that are not in the column
    why = detail::read_column(from.index(), each, take, [&](std::span<const std::byte> item) {
      values.code_of_item(item);
      return false;
    });
  }
  return values.value_count();
}

/// Lists the keys of an index. Returns false if it does not know all keys of all messages.
bool list_by_index(const archive& of, key_listing& out, failure& why) {
  const auto index = detail::key_values::open(of, detail::key_values::rows::messages, why);
  if (!index || !index->values().lists_all_keys()) return false;
  const index_values& from = index->values();
  if (!from.undescribed_messages(why).empty() || why) return false;
  for (const index_values::listed_key& each : from.keys()) {
    if (!each.has_values() || !key_walker::accepts(each.name)) continue;
    key_summary key{.key = each.name, .messages = each.present, .kinds = kinds_in(each.kinds)};
    key.has_more_values = each.has_more_values;
    key.values = each.has_column ? count_values(from, each.name, key.has_more_values, why) : each.counted_values;
    if (why) return false;
    out.keys.push_back(std::move(key));
  }
  sort_by_name(out);
  out.is_by_index = true;
  return true;
}

/// A `key_counter` counts keys message by message. All members may throw std::bad_alloc.
class key_counter {
 public:
  key_counter() { walker_.collect(); }

  /// Errors: those of message::summary and message::base.
  void add(const message& of, failure& why) {
    if (of.version() == 1) return;  // it has no metadata
    ++message_;
    const message_summary summary = of.summary(why);
    if (why) return;
    wide_.clear();
    const auto wide = metadata_copy::of(summary.message_metadata, why);
    if (why) return;
    walker_.walk(wide.keys(), wide_);
    for (std::size_t j = 0; j < summary.object_count && !why; ++j)
      add_object(of, j, j == 0 ? summary.first_object_metadata : of.base(j, why), why);
    for (const std::size_t path : wide_.paths())
      if (key& each = at(path); !why && (each.own_message != message_ || each.own_objects < summary.object_count))
        take(each, wide_.item(path));
  }

  void finish(key_listing& out) {
    for (std::size_t path = 0; path < keys_.size(); ++path) {
      const key& each = keys_[path];
      constexpr std::uint32_t only_map = 1u << static_cast<unsigned>(cbor_kind::map);
      if ((each.kinds & ~only_map) == 0) continue;
      out.keys.push_back({.key = walker_.paths()[path],
                          .messages = each.messages,
                          .values = each.values.value_count(),
                          .has_more_values = each.has_more_values,
                          .kinds = kinds_in(each.kinds)});
    }
    sort_by_name(out);
    out.omits_more = walker_.is_full();
  }

 private:
  struct key {
    column_builder values{};
    std::uint64_t messages = 0, met_in = 0;  ///< numbers of messages begin at 1
    std::uint64_t own_message = 0;           ///< in which objects have it
    std::size_t own_objects = 0;             ///< how many do
    std::uint32_t kinds = 0;
    bool has_more_values = false;
  };

  key& at(std::size_t path) {
    if (path >= keys_.size()) keys_.resize(path + 1);
    return keys_[path];
  }

  void add_object(const message& of, std::size_t j, const metadata& keys, failure& why) {
    if (why) return;
    own_.clear();
    const auto own = metadata_copy::of(keys, why);
    if (why) return;
    walker_.walk(own.keys(), own_);
    for (const std::size_t path : own_.paths()) take_own(path, own_.item(path));
    const std::size_t name = walker_.add_collected("name");
    if (name == key_walker::no_path || own_.has(name) || wide_.has(name)) return;
    failure unread;  // an object that cannot be read has no name
    const object in = of.at(j, unread);
    if (unread) return;
    key_lookup lookup(of, in);
    const key_result found = detail::key_access::descriptor_name(lookup, why);
    if (const auto* const item = why ? nullptr : std::get_if<cbor_view>(&found.get())) take_own(name, item->bytes());
  }

  void take_own(std::size_t path, std::span<const std::byte> item) {
    key& each = at(path);
    if (each.own_message != message_) each.own_objects = 0;
    each.own_message = message_;
    ++each.own_objects;
    take(each, item);
  }

  void take(key& each, std::span<const std::byte> item) {
    each.messages += each.met_in != message_;
    each.met_in = message_;
    const cbor_kind kind = cbor_view(item).untagged().kind();
    each.kinds |= 1u << static_cast<unsigned>(kind);
    const std::size_t before = each.values.value_count();
    // A value that is known takes no memory; whether it is known is only found out by adding it.
    if (before >= max_values || all_values_ >= max_all_values || kind == cbor_kind::map) {
      each.has_more_values = true;
      return;
    }
    each.values.code_of_item(item);
    all_values_ += each.values.value_count() - before;
  }

  key_walker walker_{};
  found_items own_{}, wide_{};
  std::vector<key> keys_{};  ///< by path
  std::uint64_t message_ = 0;
  std::size_t all_values_ = 0;
};

key_listing list_by_messages(const archive& of, const key_listing_options& options, failure& why) {
  const std::size_t count = of.size(why);
  key_listing out;
  key_counter keys;
  if (why) return {};
  detail::sequential_reads ahead(of);
  for (std::size_t i = 0; i < count && !why; ++i) {
    if (options.stop.stop_requested()) {
      why = {.code = {ECANCELED, std::system_category()}};
      return {};
    }
    failure unread;
    const message each = of.at(i, unread);
    if (!unread) ahead.begin(each);
    if (!unread) keys.add(each, unread);
    if (!unread) continue;
    if (options.skip_unread)
      out.unread.push_back({i, unread});
    else
      why = unread;
  }
  if (why) return {};
  keys.finish(out);
  return out;
}

}  // namespace

key_listing list_keys(const archive& of, const key_listing_options& options, failure& why) noexcept try {
  why = {};
  of.scan(UINT64_MAX, options.stop, why);
  if (why) return {};
  key_listing out;
  if (list_by_index(of, out, why)) return out;
  return why ? key_listing() : list_by_messages(of, options, why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

key_listing list_keys(const archive& of, const key_listing_options& options) {
  return detail::or_throw([&](failure& why) { return list_keys(of, options, why); });
}

}  // namespace v0
}  // namespace tgmap
