// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>

namespace tgmap::cli {

/// A `known_keys` object collects the keys of messages, for completion and for "did you mean". It stops at limits that
/// keep it fast for any file. Keys that cannot be read are left out.
class known_keys {
 public:
  /// Adds the dotted keys of a message and of its first objects, without maps themselves.
  void add(const message&);

  const std::set<std::string>& names() const noexcept { return names_; }

  /// Returns the key or property that is spelled most like `wanted`. Empty if none is similar.
  std::string nearest(std::string_view wanted) const;

 private:
  bool is_full() const noexcept;
  void add(const metadata&);
  void add(const std::string& path, const cbor_view& item, int depth);

  std::set<std::string> names_{};
  std::size_t items_ = 0;
};

}  // namespace tgmap::cli
