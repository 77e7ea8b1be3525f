// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <support/bytes.hpp>
#include <tgmap/tgmap.hpp>

#include <support/manifest_file.hpp>

namespace tgmap_test {

/// A `golden_count` counts the checks, so that a test notices if some are left out.
struct golden_count {
  std::size_t files = 0, messages = 0, objects = 0, digests = 0, masked_digests = 0, mask_blobs = 0;
  std::size_t encoded_objects = 0;     ///< objects that need a codec: only their stored bytes are compared
  std::size_t unsupported_values = 0;  ///< values that the Python interface of the reference cannot represent
};

/// Compares every file of a manifest with its entry, in every mode.
golden_count check_manifest(const std::filesystem::path& directory);

/// Compares an archive with its entry. `data` is the bytes of the file. Adds to `count` unless it is null.
void check_structure(const tgmap::archive&, const bytes& data, const nlohmann::json& expected, golden_count* count);

/// Compares the objects of a message with its entry.
void check_objects(const tgmap::message&, const bytes& data, const nlohmann::json& expected, golden_count* count);

}  // namespace tgmap_test
