// SPDX-License-Identifier: Apache-2.0
// The columns of all metadata keys of consecutive messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/message.hpp>
#include <tgmap/tools/index.hpp>
#include <vector>

#include "archive/metadata/metadata_access.hpp"
#include "core/seeded_hash.hpp"
#include "index/column.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `metadata_columns` walks over the metadata of messages, one after the other, and collects what a key_lookup would
/// find for each path of text keys, in the message and in each of its objects. Messages whose metadata has other
/// readings (a key with dots, a repeated key) or cannot be read are not described. If the objects of a message are not
/// listed and differ in a key, its value is not in the column. All members may throw std::bad_alloc.
class metadata_columns {
 public:
  metadata_columns() { nodes_.emplace_back(); }

  /// The objects of a message that an index lists.
  struct listed_objects {
    bool are_listed = false;
    std::vector<cbor_view> descriptors{};  ///< the map of each; none if they are not listed
  };

  /// Begins with these keys, which check_column_key accepts. A key that no message has gets a column without values.
  void expect(const std::vector<std::string>& keys);

  /// Walks over the metadata of the next message. Returns false if it cannot be described, or if other objects than its
  /// own are listed; the failure is that of reading it, if there is one.
  bool walk(const message&, const listed_objects&, failure&);

  /// Adds the message that was walked over last.
  void add(bool is_described, const listed_objects&);

  /// Appends the columns of the messages that follow, and empties them; their keys stay known, unless they are many.
  /// Drops columns of nearly unique values, in both, except those of expected keys.
  void append(metadata_columns& next);

  /// A column that was chosen.
  struct chosen_column {
    std::string_view key{};
    column* values = nullptr;
  };
  /// Returns the columns of expected keys, and those that the options ask for.
  std::vector<chosen_column> choose(const index_options&);

  /// A key without a column.
  struct other_key {
    std::string_view key{};
    row_list* messages = nullptr;  ///< messages that have the key, in any place
    std::uint16_t kinds = 0;       ///< of its values, as those of a column
    std::uint64_t values = 0;      ///< different ones, as far as they are known
    bool has_more_values = false;  ///< there may be more
  };
  /// Returns the keys that messages have and choose() does not.
  std::vector<other_key> others(const index_options&);

  /// Returns false if there were more keys than are kept.
  bool knows_all_keys() const noexcept { return knows_all_keys_; }

  std::uint64_t messages() const noexcept { return objects_.size() - 1; }
  std::uint64_t objects() const noexcept { return objects_.back(); }

  row_list& undescribed_messages() noexcept { return undescribed_messages_; }
  row_list& undescribed_objects() noexcept { return undescribed_objects_; }
  row_list& unlisted_objects() noexcept { return unlisted_objects_; }  ///< messages whose objects are not listed
  const object_numbers& first_objects() const noexcept { return objects_; }

 private:
  using node_number = std::uint32_t;
  static constexpr node_number root = 0, none = UINT32_MAX;

  /// The value of a path in one object.
  struct own_value {
    std::uint64_t object = 0;
    column::code code = column::unknown;
  };

  /// A path of keys. Times are compared with the counters below; equal ones mean that it was met there.
  struct node {
    std::string key{}, path{};
    node_number parent = 0;
    std::vector<node_number> children{};
    std::size_t next_child = 0;  ///< the child that is expected next
    bool has_column = false;     ///< false: another meaning of the path comes first, or its values are nearly unique
    bool is_dropped = false;
    bool is_named = false;  ///< it is one of the keys that were expected
    std::uint64_t met_in_batch = 0, met_in_layer = 0, met_in_object = 0, met_in_message = 0, met_message_wide = 0,
                  met_in_preceder = 0;
    column::code code = column::unknown, wide_code = column::unknown;  ///< in the message; message-wide
    std::vector<own_value> own{};                                      ///< in its objects
    node_number in_other = none;                                       ///< of the same path, in append()
    column values{};
    row_list messages{};  ///< described messages that have the path
  };

  /// Which keys a layer of metadata belongs to.
  enum class layer_owner : std::uint8_t { object, message };

  bool add_layers(const message&, const metadata&, layer_owner, failure&);
  bool walk_map(const cbor_view& map, node_number in, std::uint16_t hidden, layer_owner, unsigned depth);
  void take(node&, const cbor_view& item, layer_owner);
  bool take_descriptor_names(const listed_objects&);
  void end_message(row_run message, row_run objects, bool are_listed);
  void add_objects_of(node&, row_run objects);
  node_number child_of(node_number, std::string_view key);
  node_number find_or_add(node_number, std::string_view key, std::size_t most);
  bool may_meet(node&) noexcept;
  bool is_chosen(const node&, const index_options&) const;
  void clear();

  std::vector<node> nodes_{};
  core::text_map<node_number> numbers_{};  ///< by parent and key
  std::string buffer_{};
  object_numbers objects_{0};  ///< the first object of each message
  row_list undescribed_messages_{}, undescribed_objects_{}, unlisted_objects_{};
  bool knows_all_keys_ = true;

  // Since the last append(). A counter has a number that it never had before for each batch, message, object and layer.
  std::uint64_t batch_ = 1, message_ = 0, object_ = 0, layer_ = 0;
  std::size_t paths_met_ = 0;                           ///< in the batch
  std::uint64_t object_number_ = 0, object_count_ = 0;  ///< of the message
  bool follows_preceder_ = false, is_preceder_ = false;
  std::vector<node_number> met_{};  ///< paths in the message
};

/// Checks that a column can be made for a key. Errors: bad_key (argument: index_options::keys).
failure check_column_key(std::string_view);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
