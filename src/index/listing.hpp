// SPDX-License-Identifier: Apache-2.0
// Lists the messages, objects, layouts and gaps of an archive in the order of an index file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>
#include <unordered_map>
#include <vector>

#include "archive/lookup/message_structure.hpp"
#include "index_file/format.hpp"
#include "io/window.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Takes the records of a listing: a writer of index files, or a comparison with one.
class record_sink {
 public:
  virtual ~record_sink() = default;
  virtual failure add(const index_file::listed_message&) = 0;
  virtual failure add(const index_file::listed_object&) = 0;
  virtual failure add(const index_file::listed_gap&) = 0;
  virtual failure add_layout(std::span<const std::byte> item) = 0;
  virtual failure add_sample(std::uint64_t digest) = 0;
};

/// A `listing` lists one archive. May throw std::bad_alloc and what `index_options::progress` throws.
class listing {
 public:
  /// The archive must be scanned completely, under `on_damage::skip`.
  listing(const archive& from, record_sink& to) noexcept : archive_(&from), to_(&to) {}

  /// Returns the end of the bytes that an index may cover: what follows may be completed by a writer.
  static std::uint64_t covered_end(const archive&);

  /// Lists all messages and gaps before `covered`, and the samples.
  failure run(std::uint64_t covered, std::uint64_t seed, const index_options&, index_summary&);

 private:
  /// An object whose message is not written yet.
  struct pending_object {
    index_file::listed_object record{};
    std::string layout_key{};
    std::vector<std::byte> layout_item{};  ///< CBOR; empty if the layout is known
  };

  failure add_message(const message&, index_summary&);
  bool add_object(const message&, io::window&, const object_place&);
  failure add_gaps(std::uint64_t covered, index_summary&);
  std::vector<std::uint64_t> samples(std::uint64_t covered, std::uint64_t seed, failure&) const;

  const archive* archive_;
  record_sink* to_;
  std::unordered_map<std::string, std::uint32_t> layouts_{};  ///< numbers of layouts
  std::vector<pending_object> objects_{};                     ///< of one message
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
