// SPDX-License-Identifier: Apache-2.0
// What an archive contains.
#include <tgmap/tools/survey.hpp>

#include <cerrno>
#include <utility>

#include "collection/content_survey.hpp"
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

}  // namespace

archive_survey survey(const archive& from, const survey_options& options, failure& why) {
  why = {};
  archive_survey out;
  scan_all(from, options, why);
  if (why) return {};
  out.size_bytes = from.size_bytes();
  if (options.usage) out.usage.emplace();
  failure incomplete;  // damage under on_damage::stop, which gaps() has
  archives::content_survey content(from.size(incomplete), options);
  const std::uint64_t messages = from.scan_progress().messages;
  for (std::uint64_t i = 0; i < messages; ++i) {
    if (options.stop.stop_requested()) why = canceled();
    const message m = why ? message() : from.at(static_cast<std::size_t>(i), why);
    if (why) return {};
    count(m, out);
    if (options.content) content.add(m);
  }
  if (options.content) out.content = std::move(content).finish();
  out.gaps = from.gaps();
  out.tail = from.incomplete_tail();
  return out;
}

archive_survey survey(const archive& from, const survey_options& options) {
  failure why;
  archive_survey out = survey(from, options, why);
  detail::raise_if(why);
  return out;
}

}  // namespace v0
}  // namespace tgmap
