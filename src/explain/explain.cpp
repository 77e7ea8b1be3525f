// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tgmap/archive.hpp>
#include <tgmap/enum_names.hpp>
#include <tgmap/tools/explain.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "core/text/enum_table.hpp"
#include "explain/obstacles.hpp"
#include "explain/page_cache.hpp"
#include "explain/thread_counters.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using explain::range_pair;

constexpr std::uint64_t frame_header_size = 16, frame_tail_size_v2 = 12, frame_tail_size_v3 = 20;  // §2.2, §2.4

archive_range range_of(const message& message) noexcept {
  return {message.offset(), message.offset() + message.length()};
}

archive_range frame_of(const object& object) noexcept {
  return {object.frame().offset(), object.frame().offset() + object.frame().length()};
}

archive_range payload_of(const object& object) noexcept {
  return {object.payload_offset(), object.payload_offset() + object.payload_size()};
}

archive_range descriptor_of(const object& object) noexcept {
  const archive_range frame = frame_of(object);
  const bool payload_first = (object.frame().flags() & 1) != 0;
  if (!payload_first) return {frame.begin + frame_header_size, object.payload_offset()};
  return {object.payload_offset() + object.payload_and_masks_size(),
          frame.end - (object.frame().message().version() == 2 ? frame_tail_size_v2 : frame_tail_size_v3)};
}

/// Returns the header and the footer of a message: all bytes before its first object and after its last one. Returns
/// the whole message if it has no objects.
range_pair around_objects(const message& message, std::uint64_t objects) noexcept {
  const archive_range all = range_of(message);
  if (objects == 0) return {all};
  failure why;
  const object first = message.at(0, why);
  if (why) return {all};
  const object last = message.at(static_cast<std::size_t>(objects - 1), why);
  if (why) return {all};
  return {{{all.begin, frame_of(first).begin}, {frame_of(last).end, all.end}}};
}

access_route route_of(const message& message, index_location layout, object_lookup lookup) noexcept {
  if (lookup == object_lookup::walk || message.is_incomplete() || layout == index_location::none)
    return access_route::walk;
  return layout == index_location::footer ? access_route::footer_index : access_route::header_index;
}

/// Returns whether the index file lists an object.
bool is_listed(const message& in, std::size_t object) noexcept {
  detail::object_place place{};
  std::uint64_t objects = 0;
  return detail::access::state(in)->scan().listed().find_object(in.position(), object, place, objects);
}

/// An `access_explainer` reaches a message or object step by step, until a step fails, and measures each step.
class access_explainer {
 public:
  access_explainer(const std::filesystem::path& path, const access_target& wanted, const open_options& options,
                   failure& why)
      : path_(path), wanted_(wanted), options_(options), why_(why) {
    out_.steps.reserve(7);
    out_.has_read_counts = counters_.counts_reads();
  }

  access_report run() {
    why_ = {};
    if (reach_message()) {
      cache_ = explain::page_cache(path_, options_.offset, range_of(message_));
      if (reach_layout()) wanted_.object ? reach_object() : reach_metadata();
      add_ranges();
    }
    out_.is_damaged = archive_ && (archive_.scan_progress().gaps != 0 || archive_.incomplete_tail());
    return std::move(out_);
  }

 private:
  template <class Work>
  bool step(access_stage stage, Work&& work) {
    counters_.start();
    work();
    const access_cost cost = counters_.stop();
    if (!why_) out_.steps.push_back({.stage = stage, .cost = cost});
    return !why_;
  }

  bool reach_message() {
    if (!step(access_stage::open, [&] { archive_ = archive::open(path_, options_, why_); })) return false;
    out_.mode = archive_.mode();
    out_.mode_reason = archive_.mode_reason();
    const bool found = step(access_stage::find, [&] {
      if (wanted_.offset)
        message_ = archive_.at_offset(*wanted_.offset, why_);
      else if (wanted_.message >= 0)
        message_ = archive_.at(static_cast<std::size_t>(wanted_.message), why_);
      else
        message_ = archive_.nth_from_end(static_cast<std::size_t>(-(wanted_.message + 1)), why_);
    });
    out_.message = message_.position();
    out_.index = archive_.index_status();
    const auto number = found ? message_.index() : std::nullopt;
    out_.is_message_listed = number && out_.index.is_current && *number < out_.index.messages;
    return found;
  }

  bool reach_layout() {
    if (!step(access_stage::layout, [&] { out_.index_location = message_.index_location(why_); })) return false;
    out_.route = route_of(message_, out_.index_location, options_.lookup);
    out_.objects = message_.size(why_);
    return !why_;
  }

  void reach_metadata() {
    step(access_stage::metadata, [&] {
      static_cast<void>(message_.metadata(why_));
      allow_no_metadata();
    });
  }

  /// A message without metadata is no failure.
  void allow_no_metadata() noexcept {
    if (why_.code == make_error_code(errc::no_metadata)) why_ = {};
  }

  void reach_object() {
    const std::int64_t wanted = *wanted_.object;
    // A number before the first object wraps around, and is out of range.
    const std::uint64_t index = static_cast<std::uint64_t>(wanted) + (wanted < 0 ? out_.objects : 0);
    if (!step(access_stage::object, [&] { object_ = message_.at(static_cast<std::size_t>(index), why_); })) return;
    out_.object = object_.index();
    out_.is_object_listed = options_.lookup == object_lookup::index && is_listed(message_, object_.index());
    out_.payload = payload_of(object_);

    tgmap::descriptor descriptor;
    if (!step(access_stage::descriptor, [&] { descriptor = object_.descriptor(why_); })) return;
    const auto object_metadata = [&] {
      static_cast<void>(object_.metadata(why_));
      allow_no_metadata();
    };
    if (!step(access_stage::metadata, object_metadata)) return;
    step(access_stage::payload, [&] { out_.why_not_in_place = object_.why_not_in_place(descriptor.dtype); });

    out_.decoded_size = size_bytes(descriptor.dtype, descriptor.element_count);
    out_.obstacles = explain::obstacles(descriptor, object_.payload_size(), out_.why_not_in_place);
    descriptor.type = descriptor.entries = {};  // these borrow from the archive, which is closed when this returns
    out_.descriptor = descriptor;
  }

  range_pair ranges_of(access_stage stage) const noexcept {
    const archive_range all = range_of(message_);
    switch (stage) {
      case access_stage::open: return {};
      case access_stage::find:
        if (wanted_.offset || out_.is_message_listed) return {all};
        return wanted_.message >= 0 ? range_pair{{{0, all.end}}} : range_pair{{{all.begin, archive_.size_bytes()}}};
      case access_stage::layout: return out_.route == access_route::walk ? range_pair{all} : around_objects_;
      case access_stage::object: return {frame_of(object_)};
      case access_stage::descriptor: return {descriptor_of(object_)};
      case access_stage::metadata: return around_objects_;
      case access_stage::payload: return {out_.payload};
    }
    return {};
  }

  /// Adds the ranges that the steps looked at. Runs after all steps, because it reads structure itself.
  void add_ranges() {
    around_objects_ = around_objects(message_, out_.objects);
    for (access_step& each : out_.steps) {
      each.ranges = ranges_of(each.stage);
      each.pages = cache_.page_count(each.ranges);
      each.cached = cache_.cached_count(each.ranges);
    }
  }

  const std::filesystem::path& path_;
  const access_target& wanted_;
  const open_options& options_;
  failure& why_;
  explain::thread_counters counters_;
  archive archive_;
  message message_;
  object object_;
  explain::page_cache cache_;
  range_pair around_objects_{};
  access_report out_;
};

}  // namespace

TGMAP_ENUM_NAMES(access_route, 0, "header index", "footer index", "walk over frames")
TGMAP_ENUM_NAMES(access_stage, 0, "open", "find", "layout", "object", "descriptor", "metadata", "payload")

access_report explain_access(const std::filesystem::path& path, const access_target& wanted,
                             const open_options& options, failure& why) {
  return access_explainer(path, wanted, options, why).run();
}

access_report explain_access(const std::filesystem::path& path, const access_target& wanted,
                             const open_options& options) {
  failure why;
  access_report out = explain_access(path, wanted, options, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
