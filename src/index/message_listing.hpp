// SPDX-License-Identifier: Apache-2.0
// Lists consecutive messages: their records, those of their objects, and their columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

#include "archive/lookup/object_parts.hpp"
#include "core/seeded_hash.hpp"
#include "index/metadata_columns.hpp"
#include "index_file/format.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `message_listing` lists messages of one archive in order. Its numbers begin at 0. Throws std::bad_alloc.
class message_listing {
 public:
  /// Lists another message. Objects that cannot be read are not listed: reading them says what is wrong.
  /// Errors: file_shrank, of the operating system.
  failure add(const message&);

  /// Forgets all messages, but not the keys and layouts that were met.
  void clear();

  std::vector<index_file::listed_message>& messages() noexcept { return messages_; }
  std::vector<index_file::listed_object>& objects() noexcept { return objects_; }
  metadata_columns& columns() noexcept { return columns_; }

  /// Returns the CBOR items of the layouts of objects, by their number.
  const std::vector<std::vector<std::byte>>& layouts() const noexcept { return layouts_; }

 private:
  bool add_objects(const message&, io::window&, std::uint64_t& hash, failure&);
  bool add_object(const message&, const object_parts&, std::size_t index, failure&);
  std::uint32_t layout_number(const descriptor&, bool in_place);

  std::vector<index_file::listed_message> messages_{};
  std::vector<index_file::listed_object> objects_{};
  std::vector<std::vector<std::byte>> layouts_{};
  core::text_map<std::uint32_t> layout_numbers_{};
  std::string key_{};                          ///< of a layout; reused
  metadata_columns::listed_objects listed_{};  ///< of a message; reused
  metadata_columns columns_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
