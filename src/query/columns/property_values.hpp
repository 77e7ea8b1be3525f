// SPDX-License-Identifier: Apache-2.0
// The values of properties such as @shape in all messages and objects of an index.
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/error.hpp>
#include <vector>

#include "archive/property_names.hpp"
#include "index_file/format.hpp"
#include "query/columns/column_values.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `property_values` tells properties by the messages, objects and layouts that an index lists. Records are read once
/// for all properties. Errors of all members: index_damaged, file_shrank, of the operating system. Throws
/// std::bad_alloc.
class property_values {
 public:
  explicit property_values(const index_values& from) : from_(from) {}

  /// Returns whether an index tells a property; of a message by its first object if `of_messages`.
  static bool tells(property, bool of_messages) noexcept;

  /// Returns whether a message may have another value for each of its objects.
  static bool is_of_objects(property) noexcept;

  /// Returns the values in all messages or objects. `element`: of @shape or @strides.
  column_values of_messages(property, std::optional<std::uint64_t> element, failure&);
  column_values of_objects(property, std::optional<std::uint64_t> element, failure&);

 private:
  failure load_messages();
  failure load_objects();

  const index_values& from_;
  std::vector<index_file::listed_message> messages_{};
  std::vector<index_file::listed_object> objects_{};
  std::vector<std::vector<std::byte>> layouts_{};
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
