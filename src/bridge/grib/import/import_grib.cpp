// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string_view>
#include <tgmap/bridge/eccodes.hpp>
#include <tgmap/bridge/grib_import.hpp>
#include <utility>

#include "bridge/grib/import/batch_pipeline.hpp"
#include "bridge/grib/import/merge_plan.hpp"
#include "core/or_throw.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge {

grib_import_observer::~grib_import_observer() = default;
void grib_import_observer::field(const grib_field_report& /*unused*/) {}
void grib_import_observer::skipped(std::size_t /*input*/, std::uint64_t /*offset*/, std::uint64_t /*size*/) {}
void grib_import_observer::input_failed(std::size_t /*input*/, const failure& /*why*/) {}
void grib_import_observer::progress(std::uint64_t /*bytes*/) {}

namespace grib {

namespace {

/// Returns the bytes of the sections that belong to this field alone.
std::uint64_t bytes_of(const field& from) noexcept {
  if (from.fields == 1) return from.message.size();
  std::uint64_t out = 0;
  for (std::size_t i = from.first_section; i < from.sections.size(); ++i)
    if (i != 8) out += from.sections[i].size();
  return out;
}

/// Reports the ranges of the inputs and the fields of an import, and counts them.
class import_reports {
 public:
  import_reports(grib_import_observer& observer, grib_import_result& result) noexcept
      : observer_(observer), result_(result) {}

  /// Reports an item that is no field.
  void add_range(const batch_item& item) {
    const batch_entry& entry = *item.entry;
    if (entry.what == batch_entry::kind::input_failed) {
      ++result_.failed_inputs;
      return observer_.input_failed(entry.input, item.why);
    }
    if (!item.why) {
      result_.skipped_bytes += entry.range.size;
      return observer_.skipped(entry.input, entry.range.offset, entry.range.size);
    }
    ++result_.failed_fields;
    grib_field_report report;
    report.input = entry.input;
    report.offset = entry.range.offset;
    report.why = item.why;
    report.bytes_in = entry.range.size;
    observer_.field(report);
  }

  /// Reports a field; `report` has what was written.
  void add_field(const converted_field& of, grib_field_report report = {}) {
    ++(of.why ? result_.failed_fields : result_.fields);
    report.input = of.input;
    report.offset = of.from.offset;
    report.edition = of.from.edition;
    report.field = of.from.number;
    report.fields = of.from.fields;
    report.why = of.why;
    report.bytes_in = bytes_of(of.from);
    observer_.field(report);
  }

  void add_bytes(std::uint64_t bytes) {
    done_ += bytes;
    observer_.progress(done_);
  }

 private:
  grib_import_observer& observer_;
  grib_import_result& result_;
  std::uint64_t done_ = 0;
};

/// Converts fields and writes a message for each, or for each group of them.
class writing_work final : public batch_work {
 public:
  writing_work(field_converter& converter, writer& to, import_reports& reports, bool is_merging) noexcept
      : converter_(converter), to_(to), reports_(reports), is_merging_(is_merging) {}

  void convert(batch_item& item) noexcept override { converter_.convert(item.field); }

  void take(std::vector<batch_item>& items, std::uint64_t bytes, failure& why) override {
    for (batch_item& item : items) {
      if (!item.is_field) {
        reports_.add_range(item);
        continue;
      }
      if (!pending_.empty() && (!is_merging_ || pending_.back()->group != item.field.group)) write_pending(why);
      if (why) return;
      if (item.field.why)
        reports_.add_field(item.field);
      else
        pending_.push_back(&item.field);
    }
    if (!pending_.empty()) write_pending(why);
    if (!why) reports_.add_bytes(bytes);
  }

 private:
  void write_pending(failure& why) {
    message_.objects.clear();
    for (converted_field* each : pending_) message_.objects.emplace_back(std::move(each->result.object));
    to_.write(message_, why);
    if (why) return;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const carried_field& done = pending_[i]->result;
      grib_field_report report;
      report.message = to_.messages() - 1;
      report.object = i;
      report.method = to_string_view(done.method);
      if (done.reason != carry_reason::none) report.reason = to_string_view(done.reason);
      report.has_original = done.has_original;
      report.bytes_out = to_.stored_bytes(i);
      report.keys = std::get<stored_object>(message_.objects[i]).base.view();
      reports_.add_field(*pending_[i], report);
    }
    pending_.clear();
  }

  field_converter& converter_;
  writer& to_;
  import_reports& reports_;
  bool is_merging_;
  std::vector<converted_field*> pending_{};  // the fields of the next message
  new_message message_{};
};

/// Lists fields, to merge them.
class listing_work final : public batch_work {
 public:
  listing_work(field_converter& converter, std::span<const std::string> merged, merge_plan& plan,
               import_reports& reports) noexcept
      : converter_(converter), merged_(merged), plan_(plan), reports_(reports) {}

  void convert(batch_item& item) noexcept override {
    failure& why = item.field.why;
    try {
      const cbor_value keys = converter_.read_keys(item.field.from, why);
      if (!why) item.group_key = group_key_of(item.field.from, keys, merged_, why);
    } catch (const std::bad_alloc&) {
      why = {.code = tgmap::errc::out_of_memory};
    }
  }

  void take(std::vector<batch_item>& items, std::uint64_t /*bytes*/, failure& /*why*/) override {
    for (const batch_item& item : items) {
      if (!item.is_field)
        reports_.add_range(item);
      else if (item.field.why)
        reports_.add_field(item.field);
      else
        plan_.add(item);
    }
  }

 private:
  field_converter& converter_;
  std::span<const std::string> merged_;
  merge_plan& plan_;
  import_reports& reports_;
};

/// Counts the bytes of an input.
class counting_source final : public batch_source {
 public:
  counting_source(batch_source& from, std::uint64_t& bytes) noexcept : from_(from), bytes_(bytes) {}

  bool next(message_batch& out, failure& why) override {
    const bool is_filled = from_.next(out, why);
    bytes_ += out.bytes;
    return is_filled;
  }

 private:
  batch_source& from_;
  std::uint64_t& bytes_;
};

bool is_known_namespace(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 5> known{"ls", "geography", "time", "vertical", "parameter"};
  return std::find(known.begin(), known.end(), name) != known.end();
}

/// Returns why the options cannot be used. Without ecCodes every field would fail for the same reason.
failure check_options(const grib_import_options& options) {
  for (const std::string& each : options.namespaces)
    if (!is_known_namespace(each)) return {.code = tgmap::errc::invalid_option, .argument = "namespaces"};
  for (const std::string& each : options.merge)
    if (each.empty()) return {.code = tgmap::errc::invalid_option, .argument = "merge"};
  if (!find_eccodes()) return {.code = errc::eccodes_absent};
  return {};
}

void run_import(std::span<grib_input* const> inputs, writer& to, const grib_import_options& options,
                grib_import_observer& observer, grib_import_result& result, failure& why) {
  executor& workers = options.workers != nullptr ? *options.workers : shared_executor();
  field_converter converter(options);
  import_reports reports(observer, result);
  batch_reader first(inputs, finder_options{options.max_message_bytes}, options.batch_bytes);
  counting_source counted(first, result.bytes_in);
  writing_work writing(converter, to, reports, !options.merge.empty());
  if (options.merge.empty()) {
    run_batches(counted, writing, workers, why);
  } else {
    merge_plan plan;
    listing_work listing(converter, options.merge, plan, reports);
    run_batches(counted, listing, workers, why);
    if (why) return;
    plan.sort();
    planned_reader again(inputs, plan, options.batch_bytes);
    run_batches(again, writing, workers, why);
  }
  result.key_calls = converter.key_calls();
}

}  // namespace

}  // namespace grib

grib_import_result import_grib(std::span<grib_input* const> inputs, writer& to, const grib_import_options& options,
                               grib_import_observer& observer, failure& why) {
  grib_import_result out;
  why = grib::check_options(options);
  if (why) return out;
  try {
    grib::run_import(inputs, to, options, observer, out, why);
  } catch (const std::bad_alloc&) {
    why = {.code = tgmap::errc::out_of_memory};
  }
  return out;
}

grib_import_result import_grib(std::span<grib_input* const> inputs, writer& to, const grib_import_options& options,
                               grib_import_observer& observer) {
  return core::or_throw([&](failure& why) { return import_grib(inputs, to, options, observer, why); });
}

grib_import_result import_grib(std::span<grib_input* const> inputs, writer& to, const grib_import_options& options,
                               failure& why) {
  grib_import_observer nobody;
  return import_grib(inputs, to, options, nobody, why);
}

grib_import_result import_grib(std::span<grib_input* const> inputs, writer& to, failure& why) {
  return import_grib(inputs, to, grib_import_options{}, why);
}

grib_import_result import_grib(std::span<grib_input* const> inputs, writer& to, const grib_import_options& options) {
  return core::or_throw([&](failure& why) { return import_grib(inputs, to, options, why); });
}

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap
