// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tgmap/export.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

/// A `self_test_result` is the result of one test of an installation.
struct self_test_result {
  std::string_view name;  ///< "map a file"; static text
  std::string problem{};  ///< what went wrong; empty if nothing did
};

/// Tests this installation: opens sample_message() in memory and as a temporary file, mapped and read, compares
/// elements and hashes, and truncates a mapped file. The last test needs the guard of `mapping_guard::install`, and
/// reports a problem without it.
/// Errors: throws std::bad_alloc; everything else is a problem of a test, such as a folder that cannot be written.
/// Complexity: a millisecond.
/// Thread safety: any thread.
[[nodiscard]] TGMAP_API std::vector<self_test_result> run_self_test();

/// Returns the archive of these tests: one message of version 3 with the object 1, 2, 3, 4 of float32. It was made
/// without this library, and its hashes were computed by another program.
/// Errors: throws std::bad_alloc.
/// Thread safety: any thread.
[[nodiscard]] TGMAP_API std::vector<std::byte> sample_message();

}  // namespace v0
}  // namespace tgmap
