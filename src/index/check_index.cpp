// SPDX-License-Identifier: Apache-2.0
#include "index/open_index_calls.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <set>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/add_stamp.hpp"
#include "index/index_writer.hpp"
#include "index/listing.hpp"
#include "index/read_column.hpp"
#include "index/structure_digest.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using index_file::listed_gap;
using index_file::listed_message;
using index_file::listed_object;

/// Compares records with those of an index file.
class index_comparison final : public detail::record_sink {
 public:
  explicit index_comparison(const index_file::reader& with) noexcept : index_(&with) {}

  failure add(const listed_message& record) override {
    return compare(record, messages_, index_->facts().messages, record.offset);
  }
  failure add(const listed_object& record) override {
    return compare(record, objects_, index_->facts().objects, record.offset);
  }
  failure add(const listed_gap& record) override { return compare(record, gaps_, index_->facts().gaps, record.begin); }

  failure add_column(std::string_view key, detail::column& values, const detail::metadata_columns& of,
                     std::uint64_t& bytes) override {
    detail::column stored;
    for (const std::size_t i : parts_[key]) {
      bytes += columns_[i].record.bytes;
      if (failure why = stored.load(*index_, columns_[i], of.first_objects())) return why;
    }
    return values.equals(stored, of.first_objects()) ? failure{}
                                                     : differs(stored.known_count(), values.known_count(), 0);
  }

  failure add_rows(index_file::column_kind kind, detail::row_list& rows, const detail::metadata_columns&) override {
    detail::row_list stored;
    for (const detail::named_column& each : columns_) {
      if (each.record.kind != kind) continue;
      failure why = detail::read_column(*index_, each, [&](auto, index_file::row_run run) { stored.add(run); });
      if (why) return why;
    }
    return std::ranges::equal(stored.finish(), rows.finish()) ? failure{} : differs(stored.count(), rows.count(), 0);
  }

  failure add_other_key(const detail::metadata_columns::other_key& key, const detail::metadata_columns&) override {
    if (!lists_other_keys_) return {};
    detail::row_list stored;
    const auto parts = other_keys_.find(key.key);
    for (const std::size_t i : parts == other_keys_.end() ? std::vector<std::size_t>() : parts->second) {
      failure why = detail::read_column(*index_, columns_[i], [&](auto, index_file::row_run run) { stored.add(run); });
      if (why) return why;
    }
    if (parts != other_keys_.end()) other_keys_.erase(parts);
    return std::ranges::equal(stored.finish(), key.messages->finish())
               ? failure{}
               : differs(stored.count(), key.messages->count(), 0);
  }

  failure end_other_keys(const detail::metadata_columns&) override {
    return lists_other_keys_ && !other_keys_.empty() ? differs(other_keys_.size(), 0, 0) : failure{};
  }

  /// Reads which columns there are. Returns their keys.
  std::vector<std::string> read_keys(failure& why) {
    columns_ = detail::read_columns(*index_, why);
    std::set<std::string> out;
    std::uint64_t listed = 0;  // messages whose other keys are listed
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const detail::named_column& each = columns_[i];
      const bool is_other = each.record.kind == index_file::column_kind::other_keys;
      if (!is_other || !each.name.empty()) (is_other ? other_keys_ : parts_)[each.name].push_back(i);
      if (is_other && each.name.empty()) listed += each.record.rows;
      if (each.record.kind == index_file::column_kind::messages) out.insert(each.name);
    }
    lists_other_keys_ = listed == index_->facts().messages;  // those of earlier versions list none
    return {out.begin(), out.end()};
  }

  failure add_layout(std::span<const std::byte> item) override {
    if (layouts_ >= index_->facts().layouts) return differs(layouts_ + 1, index_->facts().layouts, 0);
    std::vector<std::byte> stored;
    if (failure why = index_->read_layout(layouts_, stored)) return why;
    ++layouts_;
    return wire::equal(stored, item) ? failure{} : differs(stored.size(), item.size(), 0);
  }

  failure add_sample(std::uint64_t digest) override {
    if (samples_ >= index_->facts().samples) return differs(samples_ + 1, index_->facts().samples, 0);
    std::uint64_t stored = 0;
    if (failure why = index_->read_sample(samples_++, stored)) return why;
    return stored == digest ? failure{} : differs(stored, digest, 0);
  }

  /// Checks that the index has nothing more, and the digest of its records.
  failure finish(std::uint64_t structure) const noexcept {
    const index_file::trailer& facts = index_->facts();
    const std::array counts{std::pair{facts.messages, messages_}, std::pair{facts.objects, objects_},
                            std::pair{facts.layouts, layouts_},   std::pair{facts.gaps, gaps_},
                            std::pair{facts.samples, samples_},   std::pair{facts.structure, structure}};
    for (const auto& [stored, found] : counts)
      if (stored != found) return differs(stored, found, facts.covered);
    return {};
  }

 private:
  static failure differs(std::uint64_t stored, std::uint64_t found, std::uint64_t offset) noexcept {
    return {.code = errc::index_mismatch, .offset = offset, .expected = stored, .found = found};
  }

  template <class Record>
  failure compare(const Record& record, std::uint64_t& number, std::uint64_t count, std::uint64_t offset) const {
    if (number >= count) return differs(count, number + 1, offset);
    Record stored;
    if (failure why = index_->read(number, stored)) return why;
    ++number;
    return stored == record ? failure{} : differs(number - 1, number, offset);
  }

  const index_file::reader* index_;
  std::vector<detail::named_column> columns_{};
  std::map<std::string_view, std::vector<std::size_t>> parts_{};       ///< of a column in `columns_`, by its name
  std::map<std::string_view, std::vector<std::size_t>> other_keys_{};  ///< the same of keys without a column
  bool lists_other_keys_ = false;
  std::uint64_t messages_ = 0, objects_ = 0, layouts_ = 0, gaps_ = 0, samples_ = 0;
};

}  // namespace

index_summary detail::check_open_index(const archive& given, const index_file::reader& index,
                                       const index_options& options, std::optional<io::file_stamp>& stamp,
                                       failure& why) {
  why = {};
  const archive a = rescanned(given, why);
  if (why) return {};
  const io::source& bytes = access::state(a)->bytes();
  const auto before = bytes.settled_stamp();  // before anything is read
  index_summary done{.index_bytes = index.bytes().size()};
  why = index.check_pages();
  if (!why) why = compare_with_archive(index, bytes, a.options(), false, 0);
  if (!why) static_cast<void>(a.size(why));
  if (why) return done;
  index_comparison with(index);
  index_options comparison = options;
  comparison.default_keys = false;
  comparison.keys = with.read_keys(why);
  if (why) return done;
  structure_digest records(with);
  listing all(a, records, comparison);
  why = all.run(index.facts().covered, index.facts().sample_seed, done);
  done.structure = records.value();
  if (!why && !done.stopped) why = with.finish(done.structure);
  if (!why && !done.stopped) stamp = unchanged(bytes, before);
  return done;
}

namespace {

index_summary check(const archive& a, const std::filesystem::path& path, const index_options& options, failure& why) {
  if (!a) why = {.code = errc::no_archive};
  const auto index = why ? nullptr : detail::open_index_file(path, why);
  if (why) return {};
  std::optional<io::file_stamp> stamp;
  index_summary out = detail::check_open_index(a, *index, options, stamp, why);
  // A stamp holds for the place of the archive in its file that the index was made for.
  const bool is_same_place = !why && index->facts().archive_offset == detail::access::state(a)->bytes().begin();
  out.is_stamped = stamp && is_same_place && !detail::add_stamp(path, *index, *stamp);
  return out;
}

}  // namespace

index_summary check_index(const archive& a, const std::filesystem::path& path, const index_options& options,
                          failure& why) {
  why = {};
  try {
    return check(a, path, options, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return {};
}

index_summary check_index(const archive& a, const std::filesystem::path& index, const index_options& options) {
  return detail::or_throw([&](failure& why) { return check_index(a, index, options, why); });
}

}  // namespace v0
}  // namespace tgmap
