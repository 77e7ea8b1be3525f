// SPDX-License-Identifier: Apache-2.0
// Lists the keys of an archive, by its index or by one pass over its metadata.
#include <tgmap/query/key_listing.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <new>

#include "archive/access.hpp"
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

/// A `key_counter` counts keys message by message. All members may throw std::bad_alloc.
class key_counter {
 public:
  key_counter() { walker_.collect(); }

  /// Adds the keys of an index. Returns false, and adds none, if it does not know all keys of all messages. Errors:
  /// index_damaged, file_shrank, of the operating system.
  bool add_by_index(const archive& of, failure& why) {
    const auto index = detail::key_values::open(of, detail::key_values::rows::messages, why);
    if (!index || !index->values().lists_all_keys()) return false;
    const index_values& from = index->values();
    const detail::sequential_reads reads(from.index());
    if (!from.undescribed_messages(why).empty() || why) return false;
    for (const index_values::listed_key& each : from.keys()) {
      const std::size_t path =
          each.has_values() && key_walker::accepts(each.name) ? walker_.add_collected(each.name) : key_walker::no_path;
      if (path == key_walker::no_path) continue;
      key& to = at(path);
      to.messages += each.present;
      to.kinds |= each.kinds;
      to.has_more_values = to.has_more_values || each.has_more_values;
      to.other_values += each.has_column ? 0 : each.counted_values;
      ++to.archives;
      if (each.has_column) add_values(from, each.name, to, why);
      if (why) return false;
    }
    return true;
  }

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
      // Values that only an index has counted may be those of another archive.
      const bool may_repeat = each.other_values > 0 && (each.archives > 1 || each.values.value_count() > 0);
      out.keys.push_back({.key = walker_.paths()[path],
                          .messages = each.messages,
                          .values = may_repeat ? std::max<std::uint64_t>(each.values.value_count(), each.other_values)
                                               : each.values.value_count() + each.other_values,
                          .has_more_values = each.has_more_values || may_repeat,
                          .kinds = kinds_in(each.kinds)});
    }
    std::ranges::sort(out.keys, {}, &key_summary::key);
    out.omits_more = walker_.is_full();
  }

 private:
  struct key {
    column_builder values{};
    std::uint64_t messages = 0, met_in = 0;  ///< numbers of messages begin at 1
    std::uint64_t own_message = 0;           ///< in which objects have it
    std::size_t own_objects = 0;             ///< how many do
    std::uint32_t kinds = 0;
    std::uint64_t archives = 0, other_values = 0;  ///< by indexes; values that only they know
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

  /// Adds the different values in the columns of a key.
  void add_values(const index_values& from, std::string_view name, key& to, failure& why) {
    for (const detail::named_column& each : from.columns()) {
      if (each.name != name || why) continue;
      const auto take = [&](auto, index_file::row_run) { to.has_more_values = true; };  // values of no column
      why = detail::read_column(from.index(), each, take, [&](std::span<const std::byte> item) {
        add_value(to, item);
        return false;
      });
    }
  }

  void add_value(key& to, std::span<const std::byte> item) {
    const std::size_t before = to.values.value_count();
    // Only adding a value tells if it is a known one, and then it takes memory.
    if (before >= max_values || all_values_ >= max_all_values) {
      to.has_more_values = true;
      return;
    }
    to.values.code_of_item(item);
    all_values_ += to.values.value_count() - before;
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
    if (kind == cbor_kind::map)
      each.has_more_values = true;
    else
      add_value(each, item);
  }

  key_walker walker_{};
  found_items own_{}, wide_{};
  std::vector<key> keys_{};  ///< by path
  std::uint64_t message_ = 0;
  std::size_t all_values_ = 0;
};

}  // namespace

struct key_list_reader::state {
  key_listing_options options{};
  key_counter keys{};
  std::vector<unread_message> unread{};
  std::uint64_t archives = 0;
  bool is_by_index = true;

  void add_messages(const archive& of, failure& why) {
    const std::size_t count = of.size(why);
    if (why) return;
    is_by_index = false;
    detail::sequential_reads ahead(of);
    for (std::size_t i = 0; i < count && !why; ++i) {
      failure unread_cause;
      const message each = of.at(i, unread_cause);
      if (options.stop.stop_requested()) unread_cause = {.code = {ECANCELED, std::system_category()}};
      if (!unread_cause) ahead.begin(each);
      if (!unread_cause) keys.add(each, unread_cause);
      if (!unread_cause) continue;
      if (options.skip_unread && unread_cause.code != std::errc::operation_canceled)
        unread.push_back({i, unread_cause, archives});
      else
        why = unread_cause;
    }
  }
};

key_list_reader::key_list_reader(const key_listing_options& options)
    : state_(std::make_unique<state>(state{.options = options})) {}
key_list_reader::key_list_reader(key_list_reader&&) noexcept = default;
key_list_reader& key_list_reader::operator=(key_list_reader&&) noexcept = default;
key_list_reader::~key_list_reader() = default;

void key_list_reader::add(const archive& of, failure& why) noexcept try {
  why = {};
  of.scan(UINT64_MAX, state_->options.stop, why);
  if (!why && !state_->keys.add_by_index(of, why) && !why) state_->add_messages(of, why);
  ++state_->archives;
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
}

void key_list_reader::add(const archive& of) {
  failure why;
  add(of, why);
  detail::raise_if(why);
}

key_listing key_list_reader::finish() {
  key_listing out;
  state_->keys.finish(out);
  out.unread = std::move(state_->unread);
  out.is_by_index = state_->is_by_index;
  *state_ = state{.options = state_->options};
  return out;
}

key_listing list_keys(const archive& of, const key_listing_options& options, failure& why) noexcept try {
  key_list_reader all(options);
  all.add(of, why);
  return why ? key_listing() : all.finish();
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

key_listing list_keys(const archive& of, const key_listing_options& options) {
  return detail::or_throw([&](failure& why) { return list_keys(of, options, why); });
}

}  // namespace v0
}  // namespace tgmap
