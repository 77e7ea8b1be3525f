// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tgmap/archive.hpp>
#include <tgmap/error.hpp>
#include <tgmap/export.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <tgmap/query/key_columns.hpp>
#include <tgmap/query/metadata_key.hpp>
#include <tgmap/query/selection.hpp>

namespace tgmap {
inline namespace v0 {

/// Says what a search does with messages and objects that the index selects.
enum class search_purpose : std::uint8_t {
  visit,  ///< compares them with the archive and gives them to the receiver
  count,  ///< passes over them: `indexed_selection::count` has their number
};

/// The options of a selection_search. Aggregate: `{.of_objects = true}`.
struct search_options {
  /// Finds objects, or else messages. Messages of version 1, whose objects cannot be read, have none. Default: false.
  bool of_objects = false;

  /// Default: visit.
  search_purpose purpose = search_purpose::visit;

  /// Asks the index of the archive first. Default: true. Without it each message is read; for a few messages that is
  /// less work.
  bool use_index = true;
};

/// Counts of a search. Those of several threads are added.
struct search_counts {
  std::uint64_t seen = 0;   ///< messages or objects that were visited; not those that the index rules out
  std::uint64_t taken = 0;  ///< those that are selected and were given to the receiver
  search_counts& operator+=(const search_counts& other) noexcept {
    seen += other.seen;
    taken += other.taken;
    return *this;
  }
};

/// A `search_match` is a message or an object that a search gives to its receiver. Lifetime: of the call.
struct search_match {
  const tgmap::message& message;
  optional_index index{};                 ///< number of the object; nothing if messages are searched
  const tgmap::object* object = nullptr;  ///< the object; null if messages are searched, or if it cannot be read
  key_lookup* keys = nullptr;             ///< finds the keys of the object, or of the first object that matches
};

/// Receives what is selected, with an empty failure; or else what could not be read or compared, without keys. A
/// message whose objects cannot be counted has no index then. Returns false to end the visit. May throw; exceptions
/// pass through.
using match_receiver = std::function<bool(const search_match&, const failure&)>;

/// A `selection_search` finds the messages of an archive, or their objects, that a selection matches. It asks the index
/// first, and compares what it says to be selected with the archive.
///
/// `selected_messages` and `selected_objects` are ranges of the same. A search also gives the keys that it read, goes
/// on after each problem, counts, and visits any part of the archive.
/// Lifetime: independent of the selection. Keeps the archive open. Copies share their memory.
/// Thread safety: any number of threads may visit different messages, each with its own receiver and counts.
class TGMAP_API selection_search {
 public:
  selection_search() noexcept = default;  ///< finds nothing

  /// Asks the index. Errors, complexity: those of indexed_selection::of_messages and of_objects.
  selection_search(archive, selection, const search_options& = {});
  static selection_search prepare(const archive&, const selection&, const search_options&, failure&) noexcept;

  const selection& wanted() const noexcept TGMAP_LIFETIMEBOUND { return wanted_; }
  bool of_objects() const noexcept { return options_.of_objects; }
  search_purpose purpose() const noexcept { return options_.purpose; }

  /// Returns what the index says; nothing without an index.
  const indexed_selection& known() const noexcept TGMAP_LIFETIMEBOUND { return known_; }

  /// Returns the first message from this one on that must be visited.
  std::size_t next(std::size_t message) const noexcept;

  /// Visits one message, or all its objects. Returns false if the receiver ended the visit.
  /// Complexity: that of selection::matches, for each object that the index does not rule out.
  bool visit(const message&, const match_receiver&, search_counts&) const;

  /// Visits one object, or those with numbers in [first, last), which must exist. Returns the same.
  bool visit(const message&, const object&, const match_receiver&, search_counts&) const;
  bool visit(const message&, std::size_t first, std::size_t last, const match_receiver&, search_counts&) const;

  /// Visits the messages with numbers in [first, last), or up to the end of the archive, in order, scanning as far as
  /// needed. Returns false if the receiver ended the visit, or after a failure.
  /// Errors: those of archive::at. Problems of a message or an object are given to the receiver.
  bool visit_messages(std::size_t first, std::size_t last, const match_receiver&, search_counts&, failure&) const;
  bool visit_messages(std::size_t first, std::size_t last, const match_receiver&, search_counts&) const;

  /// Returns the values of keys in all that is selected, if the index alone has them, so that no message need be read.
  /// Otherwise there are none. The rows that are selected are those whose answer is not `no`.
  /// Errors: those of indexed_keys.
  indexed_keys indexed_values(std::span<const metadata_key>, failure&) const noexcept;
  indexed_keys indexed_values(std::span<const metadata_key>) const;

 private:
  bool compare(const message&, const object*, index_answer, const match_receiver&, search_counts&) const;

  archive archive_{};
  selection wanted_{};
  search_options options_{};
  indexed_selection known_{};
};

}  // namespace v0
}  // namespace tgmap
