// SPDX-License-Identifier: Apache-2.0
// Describes the contents of archives.
#include <tgmap/tools/survey.hpp>

#include <algorithm>
#include <cerrno>
#include <tgmap/tools/collection.hpp>
#include <utility>

#include "collection/collection_state.hpp"
#include "collection/content_survey.hpp"
#include "core/or_throw.hpp"
#include "edit/message_failure.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

constexpr std::uint64_t progress_step = std::uint64_t{1} << 28;  // short on any disk

failure canceled() noexcept { return {.code = {ECANCELED, std::system_category()}}; }

void scan_all(const archive& from, const survey_options& options, failure& why) {
  for (tgmap::progress p = from.scan_progress(); !p.is_complete;) {
    p = from.scan(progress_step, options.stop, why);
    if (!why && options.stop.stop_requested()) why = canceled();
    if (why) return;
    if (options.progress) options.progress(p.scanned_bytes);
  }
}

void count(const message& m, archive_survey& into) {
  ++into.messages;
  ++into.versions[m.version()];
  if (m.is_streamed()) ++into.streamed;
  if (m.is_incomplete()) ++into.incomplete;
  if (m.version() == 1) return;  // its objects cannot be read, which is not an error

  failure why;
  const std::size_t objects = m.size(why);
  into.objects += objects;
  for (std::size_t j = 0; into.usage && j < objects && !why; ++j) {
    const object one = m.at(j, why);
    if (!why) into.usage->add(m, one);
  }
  if (why) into.unreadable.push_back(edit::failure_in(m, why));
  if (!into.usage) return;
  into.unreadable.insert(into.unreadable.end(), into.usage->problems.begin(), into.usage->problems.end());
  into.usage->problems.clear();
}

/// Adds all messages of an archive. Damage under on_damage::stop is no failure, since gaps() has it.
void add_messages(const archive& from, const survey_options& options, archive_survey& out,
                  archives::content_survey* content, failure& why) {
  const std::uint64_t messages = from.scan_progress().messages;
  for (std::uint64_t i = 0; i < messages; ++i) {
    if (options.stop.stop_requested()) why = canceled();
    const message m = why ? message() : from.at(static_cast<std::size_t>(i), why);
    if (why) return;
    count(m, out);
    if (content != nullptr) content->add(m);
  }
}

}  // namespace

archive_survey survey(const archive& from, const survey_options& options, failure& why) {
  why = {};
  archive_survey out;
  scan_all(from, options, why);
  if (why) return {};
  out.size_bytes = from.size_bytes();
  if (options.usage) out.usage.emplace();
  archives::content_survey content(from.scan_progress().messages, options);
  add_messages(from, options, out, options.content ? &content : nullptr, why);
  if (why) return {};
  if (options.content) out.content = std::move(content).finish();
  out.gaps = from.gaps();
  out.tail = from.incomplete_tail();
  return out;
}

archive_survey survey(const archive& from, const survey_options& options) {
  return core::or_throw([&](failure& why) { return survey(from, options, why); });
}

collection_survey survey(const collection& all, const survey_options& options, failure& why) {
  why = {};
  collection_survey out;
  if (options.usage) out.total.usage.emplace();
  archives::content_survey content(all.size(), options);
  const survey_options without_progress{.stop = options.stop};
  for (std::size_t n = 0; n < all.archive_count(); ++n) {
    failure unreadable;
    const archive from = all.archive(n, unreadable);
    if (!unreadable) scan_all(from, without_progress, unreadable);
    if (!unreadable) add_messages(from, options, out.total, options.content ? &content : nullptr, unreadable);
    if (options.stop.stop_requested()) why = canceled();
    if (why) return {};
    out.total.size_bytes += from.size_bytes();
    failure cause;
    if (const std::uint64_t damaged = detail::damage_of(from, cause); damaged != 0 || unreadable)
      out.failures.push_back(
          {n, all.place(n).path, damaged != 0 ? cause : unreadable, std::max<std::uint64_t>(damaged, 1)});
    if (options.progress) options.progress(n + 1);
  }
  if (options.content) out.total.content = std::move(content).finish();
  return out;
}

collection_survey survey(const collection& all, const survey_options& options) {
  return core::or_throw([&](failure& why) { return survey(all, options, why); });
}

}  // namespace v0
}  // namespace tgmap
