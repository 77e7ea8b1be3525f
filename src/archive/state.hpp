// SPDX-License-Identifier: Apache-2.0
// Everything an archive shares between its handles. Handles hold a plain pointer to it; archives and pins own it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <tgmap/archive.hpp>
#include <vector>

#include "archive/first_objects.hpp"
#include "archive/layout.hpp"
#include "archive/message_table.hpp"
#include "archive/metadata_layout.hpp"
#include "archive/object_cache.hpp"
#include "archive/proven_places.hpp"
#include "archive/scanner.hpp"
#include "core/append_only_map.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

class archive_state : public std::enable_shared_from_this<archive_state> {
 public:
  archive_state(std::unique_ptr<io::source> bytes, const open_options& options) noexcept
      : bytes_(std::move(bytes)),
        options_(options),
        scanner_(*bytes_, options_),
        objects_(bytes_->size()),
        places_(bytes_->size()) {}

  const io::source& bytes() const noexcept { return *bytes_; }
  const open_options& options() const noexcept { return options_; }
  const scanner& scan() const noexcept { return scanner_; }
  scanner& scan() noexcept { return scanner_; }

  /// Where the objects of big messages lie, and their base entries: by archive offset of the message.
  core::append_only_map<object_places>& layouts() const noexcept { return layouts_; }
  core::append_only_map<entry_places>& entries() const noexcept { return entries_; }

  /// Object `j` of a message, if it is the first one of a small message, and was met before.
  bool recall_first(const message_position& message, std::uint64_t j, object_facts& out) const noexcept {
    const optional_index index = message.index();
    return j == 0 && index && first_objects_.find(static_cast<std::size_t>(*index), out);
  }
  /// The same for any object that was met lately.
  bool recall(const message_position& message, std::uint64_t j, object_facts& out) const noexcept {
    return recall_first(message, j, out) || objects_.find(message.offset(), j, out);
  }
  void remember(const message_position& message, std::uint64_t j, const object_facts& facts) const noexcept {
    const optional_index index = message.index();
    if (j == 0 && index && first_objects_.add(static_cast<std::size_t>(*index), facts)) return;
    objects_.add(message.offset(), j, facts);
  }

  /// Places of pieces that readers of parts have proven, by object.
  proven_places& places() const noexcept { return places_; }

 private:
  std::unique_ptr<io::source> bytes_;
  open_options options_;
  scanner scanner_;
  mutable core::append_only_map<object_places> layouts_;
  mutable core::append_only_map<entry_places> entries_;
  mutable first_objects first_objects_;
  mutable object_cache objects_;
  mutable proven_places places_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
