// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <support/bytes.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

namespace tgmap_test {

inline const char* name_of(tgmap::object_lookup lookup) {
  return lookup == tgmap::object_lookup::walk ? "walk" : "index";
}

/// Runs `body(archive)` on a file mapped, read, and held in memory, each with both ways of finding objects.
template <class F>
void in_every_mode_of_file(const std::filesystem::path& path, const bytes& data, F&& body,
                           tgmap::open_options options = {}) {
  for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
    options.lookup = lookup;
    for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
      options.io = mode;
      const tgmap::archive archive(path, options);
      BOOST_TEST_CONTEXT((mode == tgmap::io_mode::map ? "mapped, " : "read, ") << name_of(lookup)) { body(archive); }
    }
    options.io = tgmap::io_mode::automatic;
    const tgmap::archive archive = tgmap::archive::from_memory(span_of(data), options);
    BOOST_TEST_CONTEXT("in memory, " << name_of(lookup)) { body(archive); }
  }
}

/// The same for bytes, which it writes to a file.
template <class F>
void in_every_mode(const bytes& data, F&& body, const tgmap::open_options& options = {}) {
  const temporary_directory temporary;
  in_every_mode_of_file(temporary.file("archive.tgm", data), data, std::forward<F>(body), options);
}

}  // namespace tgmap_test
