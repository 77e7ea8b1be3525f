// SPDX-License-Identifier: Apache-2.0
// An archive in a file, and its index.
#pragma once

#include <chrono>
#include <filesystem>
#include <support/failures.hpp>
#include <support/survey.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/index.hpp>

namespace tgmap_test {

inline std::filesystem::path index_path(const std::filesystem::path& archive) { return archive.string() + ".tgx"; }

inline bytes index_of(const tgmap::archive& archive) {
  tgmap::memory_sink to;
  tgmap::create_index(archive, to);
  const auto all = to.release();
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

/// Gives a file a time in the past, so that its index need not wait for the clock.
inline void age(const std::filesystem::path& file) {
  static auto before = std::chrono::nanoseconds(0);
  before += std::chrono::nanoseconds(1001);  // no two files have the same time
  std::filesystem::last_write_time(file,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1) - before);
}

/// Writes the index of an archive beside it. It is current.
inline void write_index(const std::filesystem::path& archive) {
  age(archive);
  write_file(index_path(archive), index_of(tgmap::archive(archive, {.index = tgmap::index_use::none})));
}

/// Returns all that the interface says of an archive.
inline survey survey_with(const std::filesystem::path& file, tgmap::open_options options) {
  return survey_of(tgmap::archive(file, options));
}

}  // namespace tgmap_test
