// SPDX-License-Identifier: Apache-2.0
// Everything an archive shares between its handles. Handles hold a plain pointer to it; archives and pins own it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <tgmap/archive.hpp>
#include <vector>

#include "archive/layout.hpp"
#include "archive/message_table.hpp"
#include "archive/metadata_layout.hpp"
#include "archive/object_cache.hpp"
#include "archive/scanner.hpp"
#include "core/append_only_map.hpp"
#include "io/source.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

class archive_state {
 public:
  archive_state(std::unique_ptr<io::source> bytes, const open_options& options) noexcept
      : bytes_(std::move(bytes)), options_(options), scanner_(*bytes_, options_) {}

  const io::source& bytes() const noexcept { return *bytes_; }
  const open_options& options() const noexcept { return options_; }
  const scanner& scan() const noexcept { return scanner_; }
  scanner& scan() noexcept { return scanner_; }

  /// Where the objects of big messages lie, and their base entries: by archive offset of the message.
  core::append_only_map<object_places>& layouts() const noexcept { return layouts_; }
  core::append_only_map<entry_places>& entries() const noexcept { return entries_; }

  /// The objects touched last.
  object_cache& objects() const noexcept { return objects_; }

 private:
  std::unique_ptr<io::source> bytes_;
  open_options options_;
  scanner scanner_;
  mutable core::append_only_map<object_places> layouts_;
  mutable core::append_only_map<entry_places> entries_;
  mutable object_cache objects_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
