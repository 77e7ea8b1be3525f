// SPDX-License-Identifier: Apache-2.0
#include "query/columns/row_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <new>
#include <utility>

#include "cbor/head.hpp"
#include "query/key_access.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `lazy_lookup` is a lookup in a message, or in one of its objects, which is made at its first use.
class lazy_lookup {
 public:
  explicit lazy_lookup(const message& in, std::optional<std::size_t> object = {}) : in_(&in), object_(object) {}

  /// Errors: those of message::at. Returns null after an error.
  key_lookup* get(failure& why) {
    if (made_) return &*made_;
    if (!object_) return &made_.emplace(*in_);
    const object of = in_->at(*object_, why);
    return why ? nullptr : &made_.emplace(*in_, of);
  }

 private:
  const message* in_;
  std::optional<std::size_t> object_;
  std::optional<key_lookup> made_{};
};

namespace {

/// Paths that are looked up in a row whose metadata has several readings. Each lookup passes all of it.
constexpr std::size_t max_looked_up = 2000;

/// For an item that is in memory and cannot disappear.
bool is_map(std::span<const std::byte> item) noexcept {
  return static_cast<cbor::major>(std::to_integer<unsigned>(item.front()) >> 5) == cbor::major::map;
}

}  // namespace

row_reader::row_reader(const key_plan& plan)
    : plan_(&plan), rule_(plan.options().where, plan.known()), columns_(plan.keys().size()) {
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (plan.keys()[k].from != key_plan::source::index) read_.push_back(k);
  for (const std::size_t k : read_)
    if (plan.keys()[k].from == key_plan::source::walk) by_path_.emplace_back(plan.keys()[k].path, k);
  std::ranges::sort(by_path_);
}

void row_reader::read(std::size_t begin, std::size_t end) noexcept try {
  why_ = {};
  sequential_reads ahead(plan_->from());
  for (std::size_t i = plan_->known().next(begin); i < end; i = plan_->known().next(i + 1)) {
    if (plan_->options().stop.stop_requested()) {
      why_ = {.code = {ECANCELED, std::system_category()}};
      return;
    }
    if (plan_->may_skip_messages() && add_by_index(i)) continue;
    const std::size_t rows = messages_.size();
    failure why;
    read_message(i, ahead, why);
    if (!why) continue;
    resize(rows);
    if (!plan_->options().skip_unread) {
      why_ = why;
      return;
    }
    unread_.push_back({i, why});
  }
} catch (const std::bad_alloc&) {
  why_ = {.code = errc::out_of_memory};
}

void row_reader::append(row_reader& next) {
  fill_repeated();
  next.fill_repeated();
  for (std::size_t path = 0; path < next.collected_.size(); ++path) {
    if (next.collected_[path].rows() == 0) continue;
    const std::size_t own = walker().add_collected(next.walker().paths()[path]);
    if (own != key_walker::no_path) collected(own).append(std::move(next.collected_[path]));
  }
  next.collected_.clear();
  messages_.insert(messages_.end(), next.messages_.begin(), next.messages_.end());
  objects_.insert(objects_.end(), next.objects_.begin(), next.objects_.end());
  unread_.insert(unread_.end(), next.unread_.begin(), next.unread_.end());
  for (std::size_t k = 0; k < columns_.size(); ++k) columns_[k].append(std::exchange(next.columns_[k], {}));
  next.messages_.clear();
  next.objects_.clear();
  next.unread_.clear();
}

void row_reader::resize(std::size_t rows) {
  messages_.resize(rows);
  if (plan_->options().of_objects) objects_.resize(rows);
  for (column_builder& each : columns_) each.resize(rows);
  for (column_builder& each : collected_) each.resize(rows);
}

/// Adds the rows of a message if the index tells which ones there are, and all of their values.
bool row_reader::add_by_index(std::size_t message) {
  const key_values& index = *plan_->index();
  if (message >= index.messages() || !index.lists_rows_of(message)) return false;
  const auto answer_of = [&](optional_index object) {
    return plan_->selects() ? rule_.answer(message, object) : index_answer::yes;
  };
  if (!plan_->options().of_objects) {
    const index_answer answer = answer_of({});
    if (answer == index_answer::unknown || !plan_->tells_row(message)) return answer == index_answer::no;
    if (answer == index_answer::yes) add_known(message, {});
    return true;
  }
  const index_file::row_run objects = index.objects_of(message);
  for (std::uint64_t row = objects.begin; row < objects.end; ++row) {
    const index_answer answer = answer_of(static_cast<std::size_t>(row - objects.begin));
    if (answer == index_answer::unknown || (answer == index_answer::yes && !plan_->tells_row(row))) return false;
  }
  for (std::uint64_t j = 0; j < objects.count(); ++j)
    if (answer_of(static_cast<std::size_t>(j)) == index_answer::yes) add_known(message, j);
  return true;
}

void row_reader::add_known(std::uint64_t message, std::optional<std::uint64_t> object) {
  fill_repeated();
  std::uint64_t row = 0;
  plan_->find_row(message, object.value_or(0), row);
  for (const std::size_t k : read_) {
    const auto item = plan_->index()->item(k, row);
    item.empty() ? columns_[k].add_missing() : columns_[k].add_item(item);
  }
  messages_.push_back(message);
  if (object) objects_.push_back(*object);
}

void row_reader::read_message(std::size_t i, sequential_reads& ahead, failure& why) {
  const message in = plan_->from().at(i, why);
  if (why) return;
  ahead.begin(in);
  if (in.version() == 1) {  // it has no metadata
    if (!plan_->options().of_objects) read_version_1(i, in, why);
    return;
  }
  if (add_by_template(i, in, why)) return;
  fill_repeated();
  const message_summary summary = in.summary(why);
  if (why) return;
  wide_.clear();
  const bool is_walked = !walks() || walk(summary.message_metadata, wide_copy_, wide_, why);
  if (why) return;
  if (plan_->options().of_objects)
    read_objects(i, in, summary, is_walked, why);
  else
    read_whole(i, in, summary, is_walked, why);
}

void row_reader::read_version_1(std::size_t i, const message& in, failure& why) {
  fill_repeated();
  lazy_lookup lookup(in);
  own_.clear();
  wide_.clear();
  if (find_match(lookup, in, {}, rule_.answer(i, {}), why)) add_row(i, {}, lookup, false, why);
}

/// Adds the row of a message: a path is looked up in the first object that the selection matches, without a selection
/// in each object in order, and then in the message-wide keys.
void row_reader::read_whole(std::size_t i, const message& in, const message_summary& summary, bool is_walked,
                            failure& why) {
  lazy_lookup lookup(in);
  const selection_match found = find_match(lookup, in, {}, rule_.answer(i, {}), why);
  if (!found) return;
  own_.clear();
  const auto begin = static_cast<std::size_t>(found.object.value_or(0));
  const std::size_t end = found.object ? begin + 1 : summary.object_count;
  std::vector<metadata_copy> copies;  // the items are views of them
  for (std::size_t j = begin; walks() && j < end; ++j) {
    const metadata keys = j == 0 ? summary.first_object_metadata : in.base(j, why);
    is_walked = !why && walk(keys, copies.emplace_back(), own_, why) && is_walked;
    if (why) return;
    if (!plan_->options().all_keys && (!is_walked || own_.paths().size() == walker().paths().size())) break;
  }
  add_row(i, {}, lookup, is_walked, why);
}

void row_reader::read_objects(std::size_t i, const message& in, const message_summary& summary, bool is_wide_walked,
                              failure& why) {
  std::size_t next = 0;
  rule_.each_object(i, next, summary.object_count, [&](std::size_t j, index_answer answer) {
    lazy_lookup lookup(in, j);
    if (!find_match(lookup, in, j, answer, why)) return !why;
    own_.clear();
    bool is_walked = is_wide_walked;
    if (walks() && (is_walked || plan_->options().all_keys)) {
      const metadata keys = j == 0 ? summary.first_object_metadata : in.base(j, why);
      is_walked = !why && walk(keys, own_copy_, own_, why) && is_walked;
    }
    if (!why) add_row(i, j, lookup, is_walked, why);
    return !why;
  });
}

/// Adds the row of a message of one object by the template, or makes it the template. Returns false if neither is
/// possible; nothing was added then.
bool row_reader::add_by_template(std::size_t i, const message& in, failure& why) {
  constexpr unsigned pause = 15;
  if (plan_->selects() || !walks()) return false;
  if (without_template_ > 0) {
    --without_template_;
    return false;
  }
  single_object_header header(in);
  const bool is_read = header.read();
  if (is_read && template_.match(header)) {
    add_repeated(i, in, header, why);
    return true;
  }
  const bool was_useless = template_ && !repeats_;
  fill_repeated();
  if (was_useless || !is_read || !make_template(i, in, header, why)) without_template_ = pause;
  return template_ || why;
}

/// Adds the row of a message that matches the template.
void row_reader::add_repeated(std::size_t i, const message& in, single_object_header& header, failure& why) {
  changes_.clear();
  template_.each_change([&](const row_template::column& of, std::span<const std::byte> item) {
    column_builder& to = of.is_collected ? collected_[of.number] : columns_[of.number];
    changes_.emplace_back(&to, to.code_of_item(item));
  });
  template_.accept(header);
  const auto object = plan_->options().of_objects ? std::optional<std::size_t>(0) : std::nullopt;
  lazy_lookup lookup(in, object);
  add_described(header, lookup, why);
  for (const std::size_t k : looked_up_)
    if (!why) look_up(k, lookup, why);
  if (why) return template_.clear();
  const std::size_t row = messages_.size();
  for (const auto& [to, code] : changes_) {
    to->repeat_last(row);
    to->add(code, 1);
  }
  messages_.push_back(i);
  if (object) objects_.push_back(*object);
  repeats_ = true;
}

/// Adds the values of keys that depend on the descriptor alone, unless it is that of the row before.
void row_reader::add_described(single_object_header& header, lazy_lookup& lookup, failure& why) {
  if (described_.empty()) return;
  std::span<const std::byte> bytes;
  std::uint64_t region = 0;
  const bool is_read = header.read_descriptor(bytes, region);
  if (is_read && template_.has_descriptor(bytes, region)) return;
  for (const std::size_t k : described_) {
    if (why) return;
    columns_[k].repeat_last(messages_.size());
    add_key(k, lookup, true, why);
  }
  is_read ? template_.set_descriptor(bytes, region) : template_.forget_descriptor();
}

/// Adds a row, and makes its message the template. Returns false if it is of another form; nothing was added then.
bool row_reader::make_template(std::size_t i, const message& in, single_object_header& header, failure& why) {
  metadata own, wide;
  own_.clear();
  wide_.clear();
  if (!template_.assign(header, own, wide)) return false;
  const bool is_walked = walker().walk(wide, wide_);
  if (!walker().walk(own, own_) || !is_walked) return false;
  const auto object = plan_->options().of_objects ? std::optional<std::size_t>(0) : std::nullopt;
  lazy_lookup lookup(in, object);
  add_row(i, object, lookup, true, why);
  if (why) return false;
  for (const std::size_t path : own_.paths()) add_target(path, own_.item(path));
  for (const std::size_t path : wide_.paths())
    if (!own_.has(path)) add_target(path, wide_.item(path));
  described_.clear();
  looked_up_.clear();
  for (const std::size_t k : read_) {
    const auto& [key, from, path] = plan_->keys()[k];
    const auto property = key_access::only_property(key);
    if (from == key_plan::source::lookup)
      (property && is_of_descriptor(*property) ? described_ : looked_up_).push_back(k);
    else if (key.text() == "name" && !own_.has(path) && !wide_.has(path))
      described_.push_back(k);
  }
  template_.finish(header);
  std::span<const std::byte> bytes;
  std::uint64_t region = 0;
  if (!described_.empty() && header.read_descriptor(bytes, region)) template_.set_descriptor(bytes, region);
  return true;
}

/// Says which columns have an item of the template.
void row_reader::add_target(std::size_t path, std::span<const std::byte> item) {
  if (plan_->options().all_keys && path >= plan_->walker().paths().size() && !is_map(item))
    template_.add({.number = path, .is_collected = true}, item);
  for (auto at = std::ranges::lower_bound(by_path_, std::pair(path, std::size_t{0}));
       at != by_path_.end() && at->first == path; ++at)
    if (at->second < plan_->asked() || !is_map(item)) template_.add({.number = at->second}, item);
}

/// Adds the rows that columns do not have yet, and forgets the template.
void row_reader::fill_repeated() {
  if (repeats_) {
    const std::size_t rows = messages_.size();
    for (const std::size_t k : read_) columns_[k].repeat_last(rows);
    for (const row_template::column& each : template_.columns())
      if (each.is_collected) collected_[each.number].repeat_last(rows);
  }
  repeats_ = false;
  template_.clear();
}

bool row_reader::walks() const noexcept { return plan_->options().all_keys || !plan_->walker().paths().empty(); }

/// Returns the walker, which is copied when it is needed first: an index may tell everything.
key_walker& row_reader::walker() {
  if (!walker_) walker_ = plan_->walker();
  return *walker_;
}

/// Finds the items in a copy: the bytes of a mapped file may disappear.
bool row_reader::walk(const metadata& keys, metadata_copy& copy, found_items& out, failure& why) {
  copy = metadata_copy::of(keys, why);
  return !why && walker().walk(copy.keys(), out);
}

/// Without a selection, no keys are looked up.
selection_match row_reader::find_match(lazy_lookup& lookup, const message& in, optional_index object,
                                       index_answer known, failure& why) const {
  if (!plan_->selects()) return {.is_match = true};
  key_lookup* const keys = lookup.get(why);
  return keys == nullptr ? selection_match() : rule_.first_match(*keys, in, object, known, why);
}

void row_reader::add_row(std::size_t i, std::optional<std::size_t> object, lazy_lookup& lookup, bool is_walked,
                         failure& why) {
  for (const std::size_t k : read_)
    if (!why) add_key(k, lookup, is_walked, why);
  if (plan_->options().all_keys && !why) add_collected(lookup, is_walked, why);
  messages_.push_back(i);
  if (object) objects_.push_back(*object);
}

void row_reader::add_key(std::size_t k, lazy_lookup& lookup, bool is_walked, failure& why) {
  const auto& [key, from, path] = plan_->keys()[k];
  if (from == key_plan::source::lookup || !is_walked)
    look_up(k, lookup, why);
  else if (own_.has(path))
    add_item(k, own_.item(path));
  else if (wide_.has(path))
    add_item(k, wide_.item(path));
  else if (key.text() != "name")
    columns_[k].add_missing();
  else if (key_lookup* const keys = lookup.get(why))
    columns_[k].add(key_access::descriptor_name(*keys, why));
}

/// Adds a value. Maps are values of keys that were asked for; others have keys of their own.
void row_reader::add_item(std::size_t k, std::span<const std::byte> item) {
  if (k >= plan_->asked() && is_map(item))
    columns_[k].add_missing();
  else
    columns_[k].add_item(item);
}

void row_reader::look_up(std::size_t k, lazy_lookup& lookup, failure& why) {
  key_lookup* const keys = lookup.get(why);
  if (keys == nullptr) return;
  if (plan_->needs_descriptors()) key_access::load_descriptor(*keys);
  const key_result found = keys->find(plan_->keys()[k].key, why);
  const auto* const item = std::get_if<cbor_view>(&found.get());
  item != nullptr && !why ? add_item(k, item->bytes_to_end()) : columns_[k].add(found);
}

/// Returns the column of a path, with a row for each message or object before the current one.
column_builder& row_reader::collected(std::size_t path) {
  if (path >= collected_.size()) collected_.resize(path + 1);
  collected_[path].extend(messages_.size());
  return collected_[path];
}

/// Adds the values of paths that no key of the plan has.
void row_reader::add_collected(lazy_lookup& lookup, bool is_walked, failure& why) {
  const std::size_t planned = plan_->walker().paths().size();
  std::size_t looked_up = 0;
  for (const found_items* const found : {&own_, &wide_})
    for (const std::size_t path : found->paths()) {
      if (path < planned || (found == &wide_ && own_.has(path))) continue;
      if (is_walked) {
        if (is_map(found->item(path))) continue;
        collected(path).add_item(found->item(path));
        continue;
      }
      if (++looked_up > max_looked_up) {
        why = {.code = errc::metadata_limit, .expected = max_looked_up, .found = found->paths().size()};
        return;
      }
      const auto key = metadata_key::parse(walker().paths()[path], why);
      key_lookup* const keys = why ? nullptr : lookup.get(why);
      if (keys == nullptr) return;
      const key_result value = keys->find(key, why);
      if (why) return;
      const auto* const item = std::get_if<cbor_view>(&value.get());
      if (item == nullptr || item->kind() != cbor_kind::map) collected(path).add(value);
    }
}

/// Finds the rows of the index that messages or objects have. Returns false if an object that was read has none.
bool row_reader::find_rows(std::vector<std::uint64_t>& out) const {
  out.resize(messages_.size());
  for (std::size_t i = 0; i < messages_.size(); ++i)
    if (!plan_->find_row(messages_[i], objects_.empty() ? 0 : objects_[i], out[i])) return false;
  return true;
}

/// Fills a column from the index.
void row_reader::fill_by_index(std::size_t k, const std::vector<std::uint64_t>& rows) {
  constexpr column_builder::code unset = UINT32_MAX;
  const column_values& values = plan_->index()->column(k);
  std::vector<column_builder::code> codes(values.code_count(), unset);
  for (std::size_t i = 0; i < rows.size();) {
    const std::uint32_t in_index = values.code(rows[i]);
    const std::size_t begin = i;
    while (i < rows.size() && values.code(rows[i]) == in_index) ++i;
    column_builder::code& code = codes[in_index];
    const auto item = values.item_of(in_index);
    if (code == unset) code = item.empty() ? 0 : columns_[k].code_of_item(item);
    columns_[k].add(code, i - begin);
  }
}

archive_rows row_reader::take(failure& why) {
  fill_repeated();
  archive_rows out;
  std::vector<std::uint64_t> rows;
  if (read_.size() < columns_.size() && !find_rows(rows)) {
    why = {.code = errc::index_mismatch, .found = messages_.size()};
    return {};
  }
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (plan_->keys()[k].from == key_plan::source::index) fill_by_index(k, rows);
  const auto asked = columns_.begin() + static_cast<std::ptrdiff_t>(plan_->asked());
  out.columns.assign(std::make_move_iterator(columns_.begin()), std::make_move_iterator(asked));
  for (std::size_t k = plan_->asked(); k < columns_.size(); ++k)
    out.others.emplace_back(plan_->keys()[k].key.text(), std::move(columns_[k]));
  for (std::size_t path = 0; path < collected_.size(); ++path)
    if (collected_[path].rows() > 0) {
      collected_[path].extend(messages_.size());
      out.others.emplace_back(walker().paths()[path], std::move(collected_[path]));
    }
  out.omitted = plan_->omitted();
  out.omits_more = walker_ && walker_->is_full();
  out.messages = std::move(messages_);
  out.objects = std::move(objects_);
  out.unread = std::move(unread_);
  return out;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
