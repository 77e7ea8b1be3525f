// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/cbor_view.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/query/selection.hpp>
#include <variant>
#include <vector>

namespace tgmap {
inline namespace v0 {

class executor;

/// Type of the values of a key_column.
enum class column_type : std::uint8_t {
  none,              ///< no row has a value
  boolean,           ///< true and false
  integer,           ///< 64 bits, signed
  unsigned_integer,  ///< no value is negative, and at least one is above 2^63 - 1
  floating,          ///< double; also integers among floating numbers, if a double holds each of them exactly
  text,              ///< text, and all other values and mixtures as `key_result::text` prints them
};

/// A `distinct_value` is one of the different values of a key, with its type: 1, 1.0 and "1" are three. Of a tag it is
/// the item inside.
struct distinct_value {
  cbor_kind kind = cbor_kind::null;  ///< boolean, integer, floating, text, bytes, array or map

  /// A boolean; an integer, unsigned only above 2^63 - 1; a double. Text is as it is. Bytes, arrays, maps, and integers
  /// below -2^63 are text as `key_result::text` prints them.
  std::variant<bool, std::int64_t, std::uint64_t, double, std::string> value{};
};

/// A `key_column` holds the value of one key in each row. Only the vector of its type is filled, with one entry for
/// each row. Rows without a value have 0.
struct key_column {
  std::string key{};  ///< as given
  column_type type = column_type::none;
  std::vector<std::uint8_t> booleans{};  ///< 0 or 1
  std::vector<std::int64_t> integers{};
  std::vector<std::uint64_t> unsigned_integers{};
  std::vector<double> reals{};
  std::vector<std::uint32_t> codes{};  ///< of text: index in `texts`
  std::vector<std::string> texts{};    ///< distinct values of text, in the order in which they first occur

  /// 1 for each row that has a value, else 0. Empty if every row has one. Null in the metadata counts as no value.
  std::vector<std::uint8_t> is_present{};
  std::uint64_t missing = 0;  ///< number of rows without a value

  /// With key_columns_options::distinct_values: the number of the value of each row in `values`, -1 without one. Filled
  /// whatever the type is.
  std::vector<std::int32_t> value_codes{};
  std::vector<distinct_value> values{};  ///< the different values, in the order in which they first occur
};

/// An `unread_message` is a message whose keys could not be read.
struct unread_message {
  std::uint64_t index = 0;  ///< number of the message in the archive
  failure cause{};
  std::uint64_t archive = 0;  ///< of a key_columns_reader: number of the archive
};

/// Options of read_key_columns. Aggregate: `{.of_objects = false}`.
struct key_columns_options {
  /// Rows are objects, or else messages. Messages of version 1, whose objects cannot be read, have no rows of objects.
  /// Default: true.
  bool of_objects = true;

  /// Rows are only those that this selects. The row of a message then has the keys of the first object that matches, of
  /// selection::first_match. Default: all.
  selection where{};

  /// Adds a column for each other key that a row has: a path of keys of maps to a value that is no map. Its name is
  /// none of those that begin with `@`, `extra.`, `_extra_.` or `_reserved_`, none of a property that is found without
  /// `@`, at most 250 bytes long, and has no brackets. Columns follow those that were asked for, by their names. At
  /// most 16,384 keys are found; see key_columns::omitted. Default: false.
  bool all_keys = false;

  /// Decides whether one of those other keys gets a column. Threads of the executor call it, for each key
  /// a few times. An exception is std::terminate. Default: none, all of them.
  std::function<bool(std::string_view key)> wants_key{};

  /// Fills `key_column::value_codes` and `values`. Default: false.
  bool distinct_values = false;

  /// Leaves out messages whose keys cannot be read, and lists them in `key_columns::unread`. Default: false, they are
  /// an error.
  bool skip_unread = false;

  /// The threads that read. The result is the same with any number of threads. Default: null, the calling thread alone.
  tgmap::executor* executor = nullptr;

  /// After a stop request no further message is read, and the call fails with `std::errc::operation_canceled`.
  /// Default: none.
  std::stop_token stop{};
};

/// A `key_columns` is a table: the values of several keys in all messages or objects of an archive.
/// Lifetime: independent of the archive.
struct key_columns {
  std::vector<std::uint64_t> messages{};  ///< number of the message of each row; ascending
  std::vector<std::uint64_t> objects{};   ///< number of the object of each row in its message; empty for messages
  std::vector<key_column> columns{};      ///< one for each key, in the order of the keys
  std::vector<std::uint64_t> archives{};  ///< of a key_columns_reader: number of the archive of each row
  std::vector<unread_message> unread{};   ///< messages that were left out, in order

  /// With key_columns_options::all_keys, keys that few rows have, and that are left out: a column for each would have
  /// more than 2^24 cells, and more than 64 for each value. By their names.
  std::vector<std::string> omitted{};
  bool omits_more = false;  ///< there are more keys than are found
};

/// Returns the values of keys in all messages or objects that are selected, as key_lookup finds them. Completes the
/// scan. Reads each message once, and no payload. With an index that has columns of the keys of the selection, reads
/// only messages that may match. With a current index that lists all messages, takes the values that it knows from it,
/// also those of properties such as `@shape`, and reads messages only for the others: none if it knows all of them.
/// Values of the index are not compared with messages.
/// Errors: those of archive::size, archive::at, indexed_selection, selection::matches and key_lookup::find;
/// index_mismatch (the index says that a row is selected, and it is not; or it lists other objects); metadata_limit
/// (with all_keys, a message with more than 2,000 keys that can be read in several ways); out_of_memory.
/// Complexity: O(bytes of the metadata). Takes 8 bytes for each value that differs from that of the row before it, and
/// each different value once, while it runs.
TGMAP_API key_columns read_key_columns(const archive&, std::span<const metadata_key>, const key_columns_options& = {});
TGMAP_API key_columns read_key_columns(const archive&, std::span<const metadata_key>, const key_columns_options&,
                                       failure&) noexcept;
inline key_columns read_key_columns(const archive& from, std::span<const metadata_key> keys, failure& why) noexcept {
  return read_key_columns(from, keys, {}, why);
}

/// A `key_columns_reader` reads one table of several archives, one after another or at once. Text and other values that
/// archives have in common are held once.
/// Errors: all members throw std::bad_alloc.
/// Thread safety: one thread at a time.
class TGMAP_API key_columns_reader {
 public:
  explicit key_columns_reader(std::span<const metadata_key>, const key_columns_options& = {});
  key_columns_reader(key_columns_reader&&) noexcept;
  key_columns_reader& operator=(key_columns_reader&&) noexcept;
  ~key_columns_reader();

  /// Adds the rows of archives behind those before, as read_key_columns finds them. Threads of the executor read an
  /// archive each. An archive that fails adds no rows, but counts. Returns the failure of each archive, which is none
  /// for most; their errors are those of read_key_columns.
  std::vector<failure> add(std::span<const archive>);

  /// Returns the table, and begins again. Keys that all_keys finds have no value in archives without them.
  key_columns finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

namespace detail {
class key_values;
}

/// An `indexed_keys` has the values of keys in all messages of an archive, or in all its objects, as the index has
/// them. No message is read, and nothing is compared with one. Lifetime: independent of the archive. Copies share their
/// memory. Thread safety: any number of threads may use one. Spec: docs/index_format.md.
class TGMAP_API indexed_keys {
 public:
  indexed_keys() noexcept = default;  ///< has no values

  /// Takes the values of keys, as key_lookup finds them in messages (of_messages) or in objects (of_objects). There are
  /// none unless the index is current, lists all messages of the archive, and knows each value of each key.
  /// Errors: those of archive::size; index_damaged, file_shrank, io, out_of_memory.
  /// Complexity: O(messages and objects that the index lists). Takes 4 bytes for each value.
  static indexed_keys of_messages(const archive&, std::span<const metadata_key>, failure&) noexcept;
  static indexed_keys of_messages(const archive&, std::span<const metadata_key>);
  static indexed_keys of_objects(const archive&, std::span<const metadata_key>, failure&) noexcept;
  static indexed_keys of_objects(const archive&, std::span<const metadata_key>);

  /// Returns whether there are values: of all keys in all messages or objects.
  explicit operator bool() const noexcept { return values_ != nullptr; }

  /// Returns whether objects of one message may have different values of a key. Those of a message are then not those
  /// of its first object that a selection matches.
  bool has_objects_that_differ() const noexcept;

  /// Returns the number of objects of a message; 0 of one of version 1, whose objects cannot be read.
  std::size_t object_count(std::size_t message) const noexcept;

  /// Returns the value of the key with this number in the list, in a message, or in one of its objects. There must be
  /// values. Lifetime: borrows from this object.
  key_result find(std::size_t key, std::size_t message) const noexcept TGMAP_LIFETIMEBOUND;
  key_result find(std::size_t key, std::size_t message, std::size_t object) const noexcept TGMAP_LIFETIMEBOUND;

 private:
  friend class detail::key_values;
  std::shared_ptr<const detail::key_values> values_{};
};

}  // namespace v0
}  // namespace tgmap
