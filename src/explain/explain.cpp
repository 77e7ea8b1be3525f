// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tgmap/archive.hpp>
#include <tgmap/tools/explain.hpp>

#include "explain/counters.hpp"
#include "explain/obstacles.hpp"
#include "explain/page_cache.hpp"
#include "explain/places.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using explain::places;

access_route route_of(const message& of, index_location layout, object_lookup lookup) noexcept {
  if (lookup == object_lookup::walk || of.is_incomplete() || layout == index_location::none) return access_route::walk;
  return layout == index_location::footer ? access_route::footer_index : access_route::header_index;
}

/// Takes the steps one after another until one fails.
class explainer {
 public:
  explainer(const std::filesystem::path& path, const access_target& wanted, const open_options& options, failure& why)
      : path_(path), wanted_(wanted), options_(options), why_(why) {
    out_.steps.reserve(7);
    out_.has_read_counts = counters_.counts_reads();
  }

  access_report run() {
    why_ = {};
    if (reach_message()) {
      cache_ = explain::page_cache(path_, options_.offset, explain::whole(message_));
      if (reach_layout()) wanted_.object ? reach_object() : reach_metadata();
      tell_places();
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

  void allow_no_metadata() noexcept {
    if (why_.code == make_error_code(errc::no_metadata)) why_ = {};
  }

  void reach_object() {
    const std::int64_t number = *wanted_.object;
    // Before the first one: wraps around, and is out of range.
    const std::uint64_t j = static_cast<std::uint64_t>(number) + (number < 0 ? out_.objects : 0);
    if (!step(access_stage::object, [&] { object_ = message_.at(static_cast<std::size_t>(j), why_); })) return;
    out_.object = object_.index();
    out_.payload = explain::payload_of(object_);

    tgmap::descriptor what;
    if (!step(access_stage::descriptor, [&] { what = object_.descriptor(why_); })) return;
    const auto object_metadata = [&] {
      static_cast<void>(object_.metadata(why_));
      allow_no_metadata();
    };
    if (!step(access_stage::metadata, object_metadata)) return;
    step(access_stage::payload, [&] { out_.why_not_in_place = object_.why_not_in_place(what.dtype); });

    out_.decoded_size = size_bytes(what.dtype, what.element_count);
    out_.obstacles = explain::obstacles(what, object_.payload_size(), out_.why_not_in_place);
    what.type = what.entries = {};  // the archive is closed behind us
    out_.descriptor = what;
  }

  places place_of(access_stage stage) const noexcept {
    const archive_range all = explain::whole(message_);
    switch (stage) {
      case access_stage::open: return {};
      case access_stage::find:
        if (wanted_.offset) return {all};
        return wanted_.message >= 0 ? places{{{0, all.end}}} : places{{{all.begin, archive_.size_bytes()}}};
      case access_stage::layout: return out_.route == access_route::walk ? places{all} : around_;
      case access_stage::object: return {explain::frame_of(object_)};
      case access_stage::descriptor: return {explain::descriptor_of(object_)};
      case access_stage::metadata: return around_;
      case access_stage::payload: return {out_.payload};
    }
    return {};
  }

  /// Where the steps looked. Asked behind all of them: it reads structure itself.
  void tell_places() {
    around_ = explain::around_objects(message_, out_.objects);
    for (access_step& each : out_.steps) {
      each.ranges = place_of(each.stage);
      each.pages = cache_.pages(each.ranges);
      each.cached = cache_.cached(each.ranges);
    }
  }

  const std::filesystem::path& path_;
  const access_target& wanted_;
  const open_options& options_;
  failure& why_;
  explain::counters counters_;
  archive archive_;
  message message_;
  object object_;
  explain::page_cache cache_;
  places around_{};
  access_report out_;
};

}  // namespace

std::string_view to_string_view(access_stage stage) noexcept {
  constexpr std::array<std::string_view, 7> names{"open",       "find",     "layout", "object",
                                                  "descriptor", "metadata", "payload"};
  return names[static_cast<std::size_t>(stage)];
}

std::string_view to_string_view(access_route route) noexcept {
  constexpr std::array<std::string_view, 3> names{"header index", "footer index", "walk over frames"};
  return names[static_cast<std::size_t>(route)];
}

access_report explain_access(const std::filesystem::path& path, const access_target& wanted,
                             const open_options& options, failure& why) {
  return explainer(path, wanted, options, why).run();
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
