// SPDX-License-Identifier: Apache-2.0
#include "index/metadata_columns.hpp"

#include <algorithm>
#include <new>
#include <tgmap/write/cbor_value.hpp>

#include "archive/metadata/metadata_access.hpp"
#include "archive/property_names.hpp"
#include "cbor/guarded_read.hpp"
#include "cbor/walk.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Paths that may have a column.
constexpr std::size_t max_paths = 1 << 14;
/// Paths of the messages of one batch. Further messages of the batch with other paths are not described.
constexpr std::size_t max_batch_paths = 1 << 17;
constexpr unsigned max_depth = 32;
/// Longer values are not in columns.
constexpr std::size_t max_item_size = 256;

/// In archives of fewer messages no values count as nearly unique.
constexpr std::uint64_t few_messages = 100;
/// Values of a column before it may be dropped.
constexpr std::uint64_t many_values = 4096;

bool is_nearly_unique(const column& of) noexcept { return of.value_count() > of.known_count() / 2; }

/// Keys that lookups divide in several ways.
bool is_divisible(std::string_view key) noexcept {
  return key.empty() || std::ranges::any_of(key, [](char c) { return c == '.' || c == '['; });
}

/// Returns the kind of an item in memory that cannot disappear.
cbor_kind kind_of(std::span<const std::byte> item) noexcept {
  const std::byte* at = item.data();
  cbor::head out;
  return cbor::read_head(at, item.data() + item.size(), out) ? cbor::kind_of(out) : cbor_kind::null;
}

/// Maps have columns of their keys.
bool may_be_in_column(cbor_kind kind) noexcept { return kind != cbor_kind::map && kind != cbor_kind::tag; }

std::uint16_t bit_of(cbor_kind kind) noexcept { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind)); }

/// Keys that do not begin a path of metadata.
bool begins_no_path(std::string_view key) noexcept {
  return key.front() == '@' || key == "extra" || key == "_extra_" || key == "_reserved_";
}

}  // namespace

failure check_column_key(std::string_view key) {
  const failure refused{.code = errc::bad_key, .argument = "index_options::keys"};
  if (key.empty() || key.size() > max_column_name || key.find('[') != key.npos) return refused;
  for (std::size_t begin = 0; begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    if (end == begin || (begin == 0 && begins_no_path(key.substr(0, end)))) return refused;
    begin = end + 1;
  }
  const bool names_property = std::ranges::any_of(
      property_names, [&](const property_name& each) { return each.found_without_at && each.name == key; });
  return names_property ? refused : failure{};
}

/// Finds a key in a map. Adds it if there are fewer than `most` paths.
metadata_columns::node_number metadata_columns::find_or_add(node_number in, std::string_view key, std::size_t most) {
  buffer_.assign(reinterpret_cast<const char*>(&in), sizeof in);
  buffer_ += key;
  if (const auto known = numbers_.find(buffer_); known != numbers_.end()) return known->second;
  const std::size_t before = in == root ? 0 : nodes_[in].path.size() + 1;
  if (nodes_.size() >= most || before + key.size() > max_column_name) return none;
  const auto added = static_cast<node_number>(nodes_.size());
  numbers_.emplace(buffer_, added);
  nodes_[in].children.push_back(added);
  node& out = nodes_.emplace_back();
  out.key = key;
  out.parent = in;
  out.path = in == root ? std::string(key) : nodes_[in].path + '.' + std::string(key);
  out.has_column = !check_column_key(out.path);
  return added;
}

/// Messages mostly have the same keys in the same order.
metadata_columns::node_number metadata_columns::child_of(node_number in, std::string_view key) {
  node& parent = nodes_[in];
  if (parent.next_child < parent.children.size()) {
    const node_number expected = parent.children[parent.next_child++];
    if (nodes_[expected].key == key) return expected;
  }
  return find_or_add(in, key, SIZE_MAX);
}

void metadata_columns::take(node& path, const cbor_view& item, layer_owner owner) {
  const bool is_wide = owner == layer_owner::message;
  if (is_wide ? path.met_message_wide == message_ : path.met_in_object == object_) return;
  column::code code = column::unknown;
  const auto bytes = item.bytes_to_end();
  const cbor_kind kind = kind_of(bytes);
  path.values.add_kinds(bit_of(kind == cbor_kind::tag ? item.untagged().kind() : kind));
  if (path.has_column && !path.is_dropped) {
    if (bytes.size() <= max_item_size && may_be_in_column(kind))
      code = path.values.code_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  if (path.met_in_message != message_) {
    path.met_in_message = message_;
    path.code = code;
    path.own.clear();
    met_.push_back(static_cast<node_number>(&path - nodes_.data()));
  }
  if (is_wide) {
    path.met_message_wide = message_;
    path.wide_code = code;
  } else {
    path.met_in_object = object_;
    path.own.push_back({object_number_, code});
  }
}

/// Notes that a path was met. Returns false if the batch has too many. What was met in other batches does not count, so
/// the result is the same with any number of threads.
bool metadata_columns::may_meet(node& path) noexcept {
  if (path.met_in_batch == batch_) return true;
  if (paths_met_ == max_batch_paths) return false;
  path.met_in_batch = batch_;
  ++paths_met_;
  return true;
}

/// Takes all paths of a map. Returns false if a lookup could read them in another way.
bool metadata_columns::walk_map(const cbor_view& map, node_number in, std::uint16_t hidden, layer_owner owner,
                                unsigned depth) {
  cbor_view::cursor at;
  if (!cbor::first(map.bytes_to_end(), at)) return false;
  nodes_[in].next_child = 0;
  while (cbor::next(at)) {
    const auto name = at.key.bytes_to_end();
    const std::byte* begin = name.data();
    const auto key = cbor::read_flat_text(begin, name.data() + name.size());
    if (!key) {
      if (kind_of(name) == cbor_kind::text) return false;  // in pieces
      continue;
    }
    if (in == root && (key->empty() || hides(hidden, *key) || begins_no_path(*key))) {
      if (key->empty()) return false;
      continue;
    }
    if (is_divisible(*key)) return false;
    const node_number child = child_of(in, *key);
    if (child == none) continue;  // too long for a column
    if (!may_meet(nodes_[child])) return false;
    if (in == root && follows_preceder_ && nodes_[child].met_in_preceder == object_) continue;
    if (nodes_[child].met_in_layer == layer_) return false;
    nodes_[child].met_in_layer = layer_;
    if (in == root && is_preceder_) nodes_[child].met_in_preceder = object_;
    take(nodes_[child], at.value, owner);
    if (kind_of(at.value.bytes_to_end()) == cbor_kind::map &&
        (depth == max_depth || !walk_map(at.value, child, hide_nothing, owner, depth + 1)))
      return false;
  }
  return !at.is_malformed;
}

bool metadata_columns::add_layers(const message& of, const metadata& keys, layer_owner owner, failure& why) {
  // The bytes of a mapped file may change or disappear.
  const metadata_copy copy = metadata_copy::of(keys, why);
  if (why) {
    why = with_location(why, of.position());
    return false;
  }
  const metadata& copied = copy.keys();
  follows_preceder_ = false;
  for (std::size_t i = 0; i < metadata_access::layers(copied); ++i) {
    ++layer_;
    is_preceder_ = metadata_access::shadows_next(copied, i);
    if (!walk_map(metadata_access::map_of_layer(copied, i), root, metadata_access::hidden_in_layer(copied, i), owner,
                  0))
      return false;
    follows_preceder_ = is_preceder_;
  }
  return true;
}

bool metadata_columns::walk(const message& of, const listed_objects& listed, failure& why) {
  why = {};
  ++message_;
  met_.clear();
  object_count_ = 0;
  if (of.version() == 1) return true;  // it has no keys
  const message_summary summary = of.summary(why);
  if (why) return false;
  object_count_ = summary.object_count;
  if (listed.are_listed && listed.descriptors.size() != object_count_) return false;
  for (std::uint64_t j = 0; j < object_count_; ++j) {
    ++object_;
    object_number_ = j;
    const metadata keys = j == 0 ? summary.first_object_metadata : of.base(static_cast<std::size_t>(j), why);
    if (why || !add_layers(of, keys, layer_owner::object, why)) return false;
  }
  return add_layers(of, summary.message_metadata, layer_owner::message, why) && take_descriptor_names(listed);
}

/// Takes the names in descriptors, for objects that have a name neither of their own nor in the message-wide keys.
/// Returns false if the batch has too many paths.
bool metadata_columns::take_descriptor_names(const listed_objects& listed) {
  constexpr std::string_view key = "name";
  const node_number number = find_or_add(root, key, SIZE_MAX);
  node& path = nodes_[number];
  const bool was_met = path.met_in_message == message_;
  if (path.met_message_wide == message_ || (was_met && path.own.size() == object_count_)) return true;
  const auto meet = [&](column::code code) {
    if (path.met_in_message == message_) return true;
    path.met_in_message = message_;
    path.code = code;
    path.own.clear();
    met_.push_back(number);
    return may_meet(path);
  };
  if (!listed.are_listed) return object_count_ == 0 || meet(column::unknown);
  const std::size_t own = was_met ? path.own.size() : 0;
  for (std::uint64_t j = 0, next = 0; j < object_count_; ++j) {
    if (next < own && path.own[next].object == j) {
      ++next;
      continue;
    }
    const auto name = listed.descriptors[j].find(key);
    if (!name) continue;
    path.values.add_kinds(bit_of(name->untagged().kind()));
    failure why;
    column::code code = column::unknown;
    if (path.has_column && !path.is_dropped && name->kind() == cbor_kind::text)
      if (const cbor_value copy = cbor_value::copy(*name, why); !why && copy.encoded().size() <= max_item_size)
        code = path.values.code_of({reinterpret_cast<const char*>(copy.encoded().data()), copy.encoded().size()});
    if (!meet(code)) return false;
    path.own.push_back({j, code});
  }
  std::ranges::sort(path.own, {}, &own_value::object);
  return true;
}

void metadata_columns::add(bool is_described, const listed_objects& listed) {
  const row_run row{messages(), messages() + 1}, objects{this->objects(), this->objects() + listed.descriptors.size()};
  if (is_described) {
    end_message(row, objects, listed.are_listed);
  } else {
    undescribed_messages_.add(row);
    if (objects.count() > 0) undescribed_objects_.add(objects);
  }
  if (!listed.are_listed) unlisted_objects_.add(row);
  objects_.push_back(objects.end);
}

void metadata_columns::end_message(row_run row, row_run objects, bool are_listed) {
  for (const node_number number : met_) {
    node& path = nodes_[number];
    path.messages.add(row);
    if (!path.has_column || path.is_dropped) continue;
    const bool is_wide = path.met_message_wide == message_;
    const bool all_equal =
        std::ranges::all_of(path.own, [&](const own_value& each) { return each.code == path.code; }) &&
        (path.own.size() >= object_count_ || (is_wide && path.wide_code == path.code));
    if (!all_equal && are_listed) path.values.describe_objects(objects_);
    path.values.add_messages(all_equal || are_listed ? path.code : column::unknown, row);
    if (path.values.describes_objects()) add_objects_of(path, objects);
  }
}

/// Adds the value of each object: its own, or else the message-wide one.
void metadata_columns::add_objects_of(node& path, row_run objects) {
  std::uint64_t next = objects.begin;
  const auto add_wide_up_to = [&](std::uint64_t end) {
    if (path.met_message_wide == message_ && next < end) path.values.add_objects(path.wide_code, {next, end});
    next = end;
  };
  for (const own_value& each : path.own) {
    const std::uint64_t object = objects.begin + each.object;
    if (object >= objects.end) break;
    add_wide_up_to(object);
    path.values.add_objects(each.code, {object, object + 1});
    next = object + 1;
  }
  add_wide_up_to(objects.end);
}

void metadata_columns::append(metadata_columns& next) {
  const std::uint64_t first_message = messages(), first_object = objects();
  const auto append_rows = [](row_list& to, row_list& from, std::uint64_t first) {
    index_file::row_list_reader runs(from.finish(), UINT64_MAX / 2);
    for (row_run run; runs.next(run);) to.add({first + run.begin, first + run.end});
    from = {};
  };
  for (node_number i = 1; i < next.nodes_.size(); ++i) {  // parents come before their children
    node& from = next.nodes_[i];
    if (from.in_other == none) {
      const node_number parent = from.parent == root ? root : next.nodes_[from.parent].in_other;
      if (parent != none) from.in_other = find_or_add(parent, from.key, max_paths);
      if (from.in_other == none) {  // there are too many paths: it has no column
        from.values.clear();
        from.messages = {};
        knows_all_keys_ = false;
        continue;
      }
    }
    node& to = nodes_[from.in_other];
    to.values.add_kinds(from.values.kinds());
    append_rows(to.messages, from.messages, first_message);
    if (!to.has_column || to.is_dropped) {
      from.is_dropped = true;
      from.values.clear();
      continue;
    }
    to.values.append(from.values, objects_, next.objects_);
    from.values.clear();
    to.is_dropped = to.values.value_count() > many_values && is_nearly_unique(to.values) && !to.is_named;
    if (to.is_dropped) to.values.clear();
  }
  append_rows(undescribed_messages_, next.undescribed_messages_, first_message);
  append_rows(undescribed_objects_, next.undescribed_objects_, first_object);
  append_rows(unlisted_objects_, next.unlisted_objects_, first_message);
  for (std::size_t i = 1; i < next.objects_.size(); ++i) objects_.push_back(first_object + next.objects_[i]);
  next.clear();
}

/// Begins a new batch.
void metadata_columns::clear() {
  objects_.assign(1, 0);
  ++batch_;
  paths_met_ = 0;
  if (nodes_.size() <= max_paths) return;
  nodes_.clear();
  nodes_.emplace_back();
  numbers_.clear();
}

void metadata_columns::expect(const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    node_number at = root;
    for (std::size_t begin = 0; begin <= key.size();) {
      const std::size_t end = std::min(key.find('.', begin), key.size());
      at = find_or_add(at, std::string_view(key).substr(begin, end - begin), SIZE_MAX);
      begin = end + 1;
    }
    nodes_[at].is_named = true;
  }
}

bool metadata_columns::is_chosen(const node& path, const index_options& options) const {
  if (!path.has_column || path.is_dropped) return false;
  const column& values = path.values;
  const std::uint64_t known = values.known_count();
  const bool is_frequent =
      known > 0 && known >= messages() / 100 + (messages() % 100 != 0) && values.unknown_count() <= known;
  const bool is_unique = messages() >= few_messages && is_nearly_unique(values);
  return path.is_named || (options.default_keys && is_frequent && !is_unique);
}

std::vector<metadata_columns::chosen_column> metadata_columns::choose(const index_options& options) {
  std::vector<chosen_column> out;
  for (node& each : nodes_)
    if (is_chosen(each, options)) out.push_back({each.path, &each.values});
  return out;
}

std::vector<metadata_columns::other_key> metadata_columns::others(const index_options& options) {
  std::vector<other_key> out;
  for (node& each : nodes_) {
    if (each.messages.count() == 0 || is_chosen(each, options)) continue;
    const column& values = each.values;
    out.push_back({.key = each.path,
                   .messages = &each.messages,
                   .kinds = values.kinds(),
                   .values = each.is_dropped ? many_values : values.value_count(),
                   .has_more_values = !each.has_column || each.is_dropped || values.unknown_count() > 0});
  }
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
