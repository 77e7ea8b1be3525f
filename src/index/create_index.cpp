// SPDX-License-Identifier: Apache-2.0
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <tgmap/tools/index.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/check_index.hpp"
#include "index/column_writer.hpp"
#include "index/listing.hpp"
#include "index/read_column.hpp"
#include "index/structure_digest.hpp"
#include "index_file/reader.hpp"
#include "index_file/writer.hpp"
#include "io/file.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using index_file::listed_gap;
using index_file::listed_message;
using index_file::listed_object;

std::uint64_t random_number(failure& why) noexcept {
  std::uint64_t out = 0;
  if (::getrandom(&out, sizeof out, 0) != sizeof out) why = io::system_failure();
  return out;
}

/// Opens the same bytes again, numbered across damage and without an index.
archive rescanned(const archive& given, failure& why) {
  if (!given) {
    why = {.code = errc::no_archive};
    return {};
  }
  open_options options = given.options();
  options.damage = on_damage::skip;
  const detail::archive_state& state = *detail::access::state(given);
  return detail::access::make_archive(state.bytes().refreshed(options, why), options, why);
}

/// Writes records to an index file.
class index_writer final : public detail::record_sink {
 public:
  index_writer(sink& to, std::uint64_t identity) noexcept : file_(to, identity) {}
  failure add(const listed_message& record) override { return file_.add(record); }
  failure add(const listed_object& record) override { return file_.add(record); }
  failure add(const listed_gap& record) override { return file_.add(record); }
  failure add_layout(std::span<const std::byte> item) override { return file_.add_layout(item); }
  failure add_sample(std::uint64_t digest) override { return file_.add_sample(digest); }
  failure add_column(std::string_view key, detail::column& values, const detail::metadata_columns& of,
                     std::uint64_t& bytes) override {
    return detail::write_column(file_, key, values, {{0, of.messages()}, {0, of.objects()}}, bytes);
  }
  failure add_rows(index_file::column_kind kind, detail::row_list& rows, const detail::metadata_columns& of) override {
    const bool are_objects = kind == index_file::column_kind::undescribed_objects;
    return detail::write_rows(file_, kind, rows, {0, are_objects ? of.objects() : of.messages()});
  }
  failure finish(const index_file::trailer& facts) { return file_.finish(facts); }

 private:
  index_file::writer file_;
};

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
    for (const detail::named_column& each : columns_) {
      if (each.name != key) continue;
      bytes += each.record.bytes;
      if (failure why = stored.load(*index_, each.record, of.first_objects())) return why;
    }
    return values.equals(stored, of.first_objects()) ? failure{}
                                                     : differs(stored.known_count(), values.known_count(), 0);
  }

  failure add_rows(index_file::column_kind kind, detail::row_list& rows, const detail::metadata_columns&) override {
    detail::row_list stored;
    for (const detail::named_column& each : columns_) {
      if (each.record.kind != kind) continue;
      failure why = detail::read_column(*index_, each.record, [&](auto, index_file::row_run run) { stored.add(run); });
      if (why) return why;
    }
    return std::ranges::equal(stored.finish(), rows.finish()) ? failure{} : differs(stored.count(), rows.count(), 0);
  }

  /// Reads which columns there are. Returns their keys.
  std::vector<std::string> read_keys(failure& why) {
    columns_ = detail::read_columns(*index_, why);
    std::vector<std::string> out;
    for (const detail::named_column& each : columns_)
      if (each.record.kind == index_file::column_kind::messages && std::ranges::find(out, each.name) == out.end())
        out.push_back(each.name);
    return out;
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
  std::uint64_t messages_ = 0, objects_ = 0, layouts_ = 0, gaps_ = 0, samples_ = 0;
};

/// Opens an index file whoever owns it.
std::unique_ptr<const index_file::reader> open_index_file(const std::filesystem::path& path, failure& why) {
  io::file file = io::file::open(path, why);
  if (why) return nullptr;
  auto bytes = io::source::from_file(std::move(file), {}, why);
  return why ? nullptr : index_file::reader::open(std::move(bytes), why);
}

index_file::trailer facts_of(const archive& a, std::uint64_t covered, std::uint64_t seed, std::uint64_t time,
                             std::uint64_t structure) {
  const open_options& options = a.options();
  return {.covered = covered,
          .max_padding = options.max_padding,
          .max_objects = options.max_objects,
          .max_metadata_bytes = options.max_metadata_bytes,
          .sample_seed = seed,
          .structure = structure,
          .archive_time = time};
}

}  // namespace

index_summary create_index(const archive& given, sink& to, const index_options& options, failure& why) {
  why = {};
  index_summary done;
  const std::uint64_t before = to.bytes_written();
  try {
    const archive a = rescanned(given, why);
    const std::uint64_t seed = random_number(why), identity = random_number(why);
    if (why) return {};
    const std::uint64_t time = detail::access::state(a)->bytes().change_time();  // before anything is read
    static_cast<void>(a.size(why));
    if (why) return {};
    index_writer file(to, identity);
    detail::structure_digest records(file);
    detail::listing all(a, records, options);
    const std::uint64_t covered = detail::listing::covered_end(a);
    why = all.run(covered, seed, done);
    done.structure = records.value();
    if (!why && !done.stopped) why = file.finish(facts_of(a, covered, seed, time, done.structure));
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  done.index_bytes = to.bytes_written() - before;
  return done;
}

index_summary create_index(const archive& a, sink& to, const index_options& options) {
  return detail::or_throw([&](failure& why) { return create_index(a, to, options, why); });
}

index_summary detail::check_open_index(const archive& given, const index_file::reader& index,
                                       const index_options& options, failure& why) {
  why = {};
  const archive a = rescanned(given, why);
  if (why) return {};
  index_summary done{.index_bytes = index.bytes().size()};
  why = index.check_pages();
  if (!why) why = compare_with_archive(index, access::state(a)->bytes(), a.options(), 0);
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
  return done;
}

index_summary check_index(const archive& a, const std::filesystem::path& path, const index_options& options,
                          failure& why) {
  why = {};
  try {
    if (!a) why = {.code = errc::no_archive};
    const auto index = why ? nullptr : open_index_file(path, why);
    return why ? index_summary() : detail::check_open_index(a, *index, options, why);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return {};
}

index_summary check_index(const archive& a, const std::filesystem::path& index, const index_options& options) {
  return detail::or_throw([&](failure& why) { return check_index(a, index, options, why); });
}

namespace {

/// Adds a column, or a part of one, of an index.
void add_column(std::vector<index_column>& to, const detail::named_column& from) {
  using index_file::column_kind;
  const auto& record = from.record;
  if (record.kind != column_kind::messages && record.kind != column_kind::objects) return;
  const auto known = std::ranges::find(to, from.name, &index_column::key);
  index_column& out = known == to.end() ? to.emplace_back(index_column{.key = from.name}) : *known;
  out.bytes += record.bytes;
  out.values = std::max(out.values, record.values);
  if (record.kind == column_kind::objects)
    out.describes_objects = true;
  else
    out.messages += record.present;
}

}  // namespace

index_summary describe_index(const std::filesystem::path& path, failure& why) {
  why = {};
  const auto index = open_index_file(path, why);
  if (why) return {};
  const index_file::trailer& facts = index->facts();
  index_summary out{.covered_bytes = facts.covered,
                    .messages = facts.messages,
                    .objects = facts.objects,
                    .layouts = facts.layouts,
                    .gaps = facts.gaps,
                    .index_bytes = index->bytes().size(),
                    .structure = facts.structure};
  for (const detail::named_column& each : detail::read_columns(*index, why)) add_column(out.columns, each);
  if (why) return {};
  return out;
}

index_summary describe_index(const std::filesystem::path& path) {
  return detail::or_throw([&](failure& why) { return describe_index(path, why); });
}

}  // namespace v0
}  // namespace tgmap
