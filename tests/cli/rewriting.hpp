// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of verbs that rewrite archives.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <support/shared_data.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/query/metadata_key.hpp>

#include "process.hpp"
#include "samples.hpp"

namespace tgmap_test {

/// Checks everything that must not change when a message is rewritten, whatever its layout.
struct seen_object {
  bytes region;  ///< payload and masks as they are stored
  bytes descriptor;
  std::optional<std::uint64_t> digest;

  bool operator==(const seen_object&) const = default;
};

inline bytes bytes_of(std::span<const std::byte> data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};  // NOLINT
}

inline std::vector<seen_object> objects_of(const tgmap::message& in) {
  std::vector<seen_object> out;
  for (std::size_t j = 0; j < in.size(); ++j) {
    const tgmap::object one = in[j];
    out.push_back({bytes_of(one.payload_and_masks()), bytes_of(one.descriptor().entries.bytes()), one.stored_hash()});
  }
  return out;
}

/// Runs the command on files in a temporary folder.
struct rewriting {
  temporary_directory files;

  std::string path(const std::string& name) const { return (files / name).string(); }
  bytes read(const std::string& name) const { return read_file(files / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(files / name); }
  std::string make(const std::string& name, const bytes& data) const { return files.file(name, data).string(); }

  /// Opens the present contents of a file. Lifetime: views of the archive are valid as long as this object.
  const tgmap::archive& open(const std::string& name) const { return opened.emplace_back(files / name); }

  /// Returns the value of a key in each message as `get` prints it; "?" if it is absent.
  std::string values(const std::string& name, const std::string& key) const {
    std::string out;
    for (const tgmap::message& m : open(name)) {
      tgmap::key_lookup keys(m);
      const auto found = keys.find(tgmap::metadata_key(key));
      out += (out.empty() ? "" : " ") + (found ? found.text() : std::string("?"));
    }
    return out;
  }

  mutable std::deque<tgmap::archive> opened{};
};

}  // namespace tgmap_test
