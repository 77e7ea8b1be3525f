// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tgmap::cli {

inline constexpr int sample_version = 3;                          ///< wire version of the sample
inline constexpr std::array<float, 4> sample_values{1, 2, 3, 4};  ///< its only object

/// Returns a small message for tests without a file. Its hashes were computed by another program.
std::vector<std::byte> sample_message();

/// The result of one test.
struct test_result {
  std::string label;
  std::optional<std::string> reason;  ///< why it failed; empty on success
};

/// Opens the sample message in every way and reads it back.
std::vector<test_result> run_self_test();

}  // namespace tgmap::cli
