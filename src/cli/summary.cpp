// SPDX-License-Identifier: Apache-2.0
#include "cli/summary.hpp"

#include <chrono>

#include "cli/archives.hpp"

namespace tgmap::cli {

namespace {

void count(const message& m, summary& into) {
  ++into.messages;
  ++into.versions[m.version()];
  if (!into.first_version) into.first_version = m.version();
  if (m.is_streamed()) ++into.streamed;
  if (m.is_incomplete()) ++into.incomplete;
  if (m.version() == 1) return;  // a message of the table whose objects nobody can read: known, no error

  failure why;
  const std::size_t objects = m.size(why);
  into.objects += objects;
  for (std::size_t j = 0; into.codecs && j < objects && !why; ++j) {
    const object one = m.at(j, why);
    if (!why) add_usage(m, one, nullptr, *into.codecs);
  }
  if (why) into.unreadable.push_back(concerning(m, why));
  if (!into.codecs) return;
  into.unreadable.insert(into.unreadable.end(), into.codecs->problems.begin(), into.codecs->problems.end());
  into.codecs->problems.clear();
}

}  // namespace

std::uint64_t summary::version_1() const {
  const auto found = versions.find(1);
  return found == versions.end() ? 0 : found->second;
}

summary summarise(const target& from, bool codecs, session& run) {
  const auto start = std::chrono::steady_clock::now();
  const archive opened = open_archive(from, run);
  scan_all(opened, from, run);

  summary out;
  out.file = from.file;
  if (codecs) out.codecs.emplace();
  out.size = opened.size_bytes();
  for (const message& m : opened) count(m, out);
  out.gaps = opened.gaps();
  out.tail = opened.incomplete_tail();
  out.io_mode = opened.mode() == tgmap::io_mode::map ? "map" : "read";
  out.io_reason = opened.mode_reason();
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  out.elapsed_ms = elapsed.count();
  return out;
}

}  // namespace tgmap::cli
