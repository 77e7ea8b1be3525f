// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tgmap/write/writer.hpp>
#include <vector>

namespace tgmap::cli {

/// Which value counts where several messages have the same key.
enum class merging : std::uint8_t { first, last, error };

/// Objects of many messages on their way into one. Their payloads stay as they lie.
class merged_message {
 public:
  explicit merged_message(merging how) : how_(how) {}

  /// Adds an object. Borrows from its archive.
  void add(const message& from, std::size_t j) { objects_.push_back({from, j}); }

  /// Adds message-wide keys. Throws cli_error: two values for one key, and neither counts; tgmap::error.
  void add_keys(const message&);

  std::size_t objects() const noexcept { return objects_.size(); }
  std::size_t messages() const noexcept { return messages_; }  ///< whose keys were added

  /// Whether one of them is of version 3, as then the whole message must be.
  int version() const noexcept;

  /// The message. Objects of version 2 are raised where it is of version 3. Of version 2 it keeps the provenance of one
  /// that holds szip, by which readers go (§7.4). Either every object has a digest or none. Throws tgmap::error.
  new_message made() const;

 private:
  struct origin {
    message from;
    std::size_t object;
  };
  merging how_;
  std::vector<origin> objects_{};
  cbor_value extra_ = cbor_value::map();
  std::size_t messages_ = 0;
};

}  // namespace tgmap::cli
