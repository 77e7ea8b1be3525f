// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <support/bytes.hpp>
#include <tgmap/tgmap.hpp>

#include <support/manifest_file.hpp>

namespace tgmap_test {

/// What was looked at, so that nothing is left out silently.
struct golden_count {
  std::size_t files = 0, messages = 0, objects = 0, digests = 0, masked_digests = 0, mask_blobs = 0;
  std::size_t not_plain = 0;          ///< objects that need a codec: only their stored bytes are compared
  std::size_t reference_refused = 0;  ///< values that the reference's Python view cannot hold
};

/// Holds every file of a manifest against it, in every mode.
golden_count check_manifest(const std::filesystem::path& directory);

/// Holds one opened archive against its case. `data`: the file's bytes. Counts when `count` is given.
void check_structure(const tgmap::archive&, const bytes& data, const nlohmann::json& the_case, golden_count* count);

/// Holds one message against its entry in the manifest.
void check_objects(const tgmap::message&, const bytes& data, const nlohmann::json& expected, golden_count* count);

}  // namespace tgmap_test
