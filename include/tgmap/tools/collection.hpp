// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/selection.hpp>
#include <tgmap/query/sort_reader.hpp>
#include <tgmap/tools/survey.hpp>
#include <vector>

namespace tgmap {
inline namespace v0 {

class executor;

/// An `archive_place` says where an archive is: a file, or a part of one, as `fdb list` gives it.
struct archive_place {
  std::filesystem::path path{};
  std::uint64_t offset = 0;           ///< of the archive in the file
  std::uint64_t length = UINT64_MAX;  ///< of the archive in bytes; default: up to the end of the file

  bool operator==(const archive_place&) const = default;
};

/// A `collection_address` is the place of a message, or of an object, in a collection. It is data: it may be stored,
/// and used in another process with a collection of the same places.
struct collection_address {
  std::size_t archive = 0;  ///< number of the archive in the collection
  std::size_t message = 0;  ///< number of the message in its archive
  optional_index object{};  ///< number of the object in its message; nothing: the message

  bool operator==(const collection_address&) const = default;
};

/// A `collected_message` is a message of a collection, with the archive that it borrows from. The message, its objects
/// and views stay valid as long as this, a copy of its archive, or a pin of that lives.
struct collected_message {
  collection_address address{};
  tgmap::archive archive{};
  tgmap::message message{};
};

/// A `collection_failure` says what is wrong with an archive of a collection: it cannot be opened or scanned, has gaps
/// or an incomplete tail, or has messages that cannot be read.
struct collection_failure {
  std::size_t archive = 0;
  std::filesystem::path path{};
  failure cause{};          ///< the first one
  std::uint64_t count = 1;  ///< number of failures of this archive
};

/// The options of a collection. Aggregate.
struct collection_options {
  /// How each archive is opened. `offset`, `length` and `index_path` must have their defaults.
  /// Default: numbering goes on behind damage.
  open_options open{.damage = on_damage::skip};

  /// Maximum number of archives that the collection itself keeps open. Each has at most two descriptors.
  /// Default: 256, half of the usual limit of 1024 descriptors.
  std::size_t max_open = 256;

  /// The threads that scan archives when all of them must be known; borrowed as long as the collection lives. Each may
  /// have one archive open beyond `max_open`. Default: null, the calling thread alone.
  tgmap::executor* executor = nullptr;

  /// Opens the archive of the place with this number, in place of archive::open. Called from any thread, again for an
  /// archive that was closed, and without a lock. Exceptions pass through. A place that is not the path of a regular
  /// file stays open. Default: none.
  std::function<tgmap::archive(std::size_t number, const open_options&, failure&)> opener{};
};

/// A `collection_query` chooses messages or objects of a collection, and their order. Aggregate.
struct collection_query {
  selection where{};                 ///< default: everything
  bool of_objects = false;           ///< chooses objects instead of messages
  std::vector<sort_column> sort{};   ///< over all archives; default: the order of the collection
  std::uint64_t limit = UINT64_MAX;  ///< maximum number of results, after sorting
  std::stop_token stop{};            ///< a stop request is the failure `std::errc::operation_canceled`
};

/// The result of collection::find.
struct found_addresses {
  std::vector<collection_address> addresses{};
  std::vector<collection_failure> failures{};  ///< of archives and messages that could not be read, at most one each
};

/// A `facet` is a key with the values that it has in what a query chose.
struct facet {
  struct value {
    std::string text{};  ///< as `key_result::text` prints it
    std::uint64_t count = 0;
  };
  std::string key{};
  std::vector<value> values{};  ///< each once, in the order of sort_key
  std::uint64_t missing = 0;    ///< messages or objects without the key
};

struct found_facets {
  std::vector<facet> facets{};  ///< one for each key
  std::vector<collection_failure> failures{};
};

/// A `collection_group` has the messages or objects that have the same values of some keys.
struct collection_group {
  std::vector<std::optional<std::string>> values{};  ///< printed, one for each key; nothing if it is absent
  std::vector<collection_address> addresses{};
};

struct found_groups {
  std::vector<collection_group> groups{};  ///< in the order of their values
  std::vector<collection_failure> failures{};
};

namespace detail {
class collection_state;
}

/// A `collection` is many archives as one sequence: of places in the given order, and of their messages.
///
/// An archive is opened when it is needed. At most `max_open` archives stay open; the least recently used one is
/// closed. A copy of an archive, or a pin of it, keeps its memory, so no view loses its bytes. A closed archive is
/// opened again when it is needed again. Its file must then be the same one, not shorter, and of the same time unless
/// it has grown; what was appended is not seen. Otherwise the access fails with `archive_changed`. Pipes and devices,
/// which cannot be opened again, stay open and do not count.
///
/// An archive that cannot be opened or scanned has no messages, or those found before, and does not disturb the others:
/// failures() lists it. Indexes beside archives are used as `open_options::index` says, for scans and for queries.
/// A collection is a cheap shared handle. Errors: one overload throws `error`, the other fills `failure&`.
/// Thread safety: any number of threads may call all members.
class TGMAP_API collection {
 public:
  collection() = default;  ///< of no archives

  /// Opens nothing. Errors: invalid_option, out_of_memory. Complexity: O(places).
  explicit collection(std::vector<archive_place>, const collection_options& = {});
  static collection open(std::vector<archive_place>, const collection_options&, failure&);

  std::size_t archive_count() const noexcept;
  /// Returns the place of an archive, which must be below archive_count().
  const archive_place& place(std::size_t archive) const noexcept TGMAP_LIFETIMEBOUND;
  std::size_t open_count() const noexcept;  ///< archives that the collection keeps open now

  /// Returns the archive with this number, and opens it if it is closed.
  /// Errors: out_of_range, archive_changed; those of archive::open.
  tgmap::archive archive(std::size_t number) const;
  tgmap::archive archive(std::size_t number, failure&) const;

  /// Returns the number of messages of one archive, or of all. Completes its scan, or all of them. The number of an
  /// archive that cannot be opened is 0, and that of one that cannot be scanned is what was found.
  /// Errors: out_of_range, out_of_memory. Complexity: as archive::size; later O(1).
  std::size_t size_of(std::size_t archive) const;
  std::size_t size() const;

  /// Returns the message with this number in the collection, or at this address. A number opens and scans the archives
  /// before it once.
  /// Errors: out_of_range; those of archive() and archive::at.
  collected_message operator[](std::size_t number) const;
  collected_message at(std::size_t number, failure&) const;
  collected_message operator[](const collection_address&) const;
  collected_message at(const collection_address&, failure&) const;

  /// Returns the address of a message by its number in the collection, and the number by the address. The object of an
  /// address does not count.
  /// Errors: out_of_range. Complexity: O(log archives), after the archives before it were scanned once.
  collection_address address_of(std::size_t number) const;
  collection_address address_of(std::size_t number, failure&) const;
  std::size_t number_of(const collection_address&) const;
  std::size_t number_of(const collection_address&, failure&) const;

  /// Returns an address as text that the command takes: "f.tgm:3:0". In a part of a file it is "f.tgm@4096:0", with the
  /// offset of the message in the file. Errors: out_of_range; for a part of a file those of at().
  std::string text_of(const collection_address&) const;
  std::string text_of(const collection_address&, failure&) const;

  /// Returns the address of a message or an object by its text, as archive_address parses it. A number may count from
  /// the end. The file is the first one of the collection with exactly this path, and for an offset the part that has
  /// it. Errors: bad_address (no such file, a range, or no message); out_of_range; those of at(). Complexity:
  /// O(places).
  collection_address parse_address(std::string_view) const;
  collection_address parse_address(std::string_view, failure&) const;

  /// Returns the archives with failures known so far, each once, in order.
  std::vector<collection_failure> failures() const;

  /// Receives a match: a message, or an object of it, and its keys; those of a message are of its first object that
  /// matches. Returns false to stop.
  using visitor = std::function<bool(const collected_message&, key_lookup&)>;

  /// Visits what a query chooses, in its order. Archives and messages that cannot be read are passed over. Returns
  /// these failures, at most one for each archive. With an index that has columns of the keys, messages that do not
  /// match are not read. Sorting keeps the values and the address of each match, and no archive open; then each match
  /// is opened again. Errors: std::errc::operation_canceled, out_of_memory; those of the visitor. Complexity: O(bytes
  /// of the metadata), with an index O(matches); sorting O(n log n).
  std::vector<collection_failure> visit(const collection_query&, const visitor&) const;
  std::vector<collection_failure> visit(const collection_query&, const visitor&, failure&) const;

  /// Returns the addresses of what a query chooses. Opens nothing again after sorting.
  /// Errors, complexity: as visit().
  found_addresses find(const collection_query& = {}) const;
  found_addresses find(const collection_query&, failure&) const;

  /// Returns the values of keys in what a query chooses, with their counts, or the addresses for each combination of
  /// values. The order of the query is ignored for facets. An index that knows all values answers without messages.
  /// Errors, complexity: as visit(); memory: O(different values), and of groups O(matches).
  found_facets facets(std::span<const metadata_key>, const collection_query& = {}) const;
  found_facets facets(std::span<const metadata_key>, const collection_query&, failure&) const;
  found_groups group(std::span<const metadata_key>, const collection_query& = {}) const;
  found_groups group(std::span<const metadata_key>, const collection_query&, failure&) const;

 private:
  std::shared_ptr<detail::collection_state> state_{};
};

/// The result of survey for a collection.
struct collection_survey {
  archive_survey total{};                      ///< of all archives; `gaps` and `tail` are empty, `failures` has damage
  std::vector<collection_failure> failures{};  ///< archives that are damaged or cannot be read
};

/// Returns what the archives of a collection contain, as one. `progress` gets the number of archives that are done.
/// Errors: those of `progress`; std::errc::operation_canceled. Complexity: O(messages) twice: to count, and to survey.
TGMAP_API collection_survey survey(const collection&, const survey_options& = {});
TGMAP_API collection_survey survey(const collection&, const survey_options&, failure&);

}  // namespace v0
}  // namespace tgmap
