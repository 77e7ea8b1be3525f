// SPDX-License-Identifier: Apache-2.0
// Everything an archive shares between its handles. Handles hold a plain pointer to it; archives and pins own it.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <tgmap/archive.hpp>
#include <vector>

#include "archive/message_table.hpp"
#include "archive/object_memory.hpp"
#include "archive/proven_places.hpp"
#include "archive/scanner.hpp"
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

  /// Returns the memory of objects that were touched.
  object_memory& objects() const noexcept { return objects_; }

  /// Places of pieces that readers of parts have proven, by object.
  proven_places& places() const noexcept { return places_; }

 private:
  std::unique_ptr<io::source> bytes_;
  open_options options_;
  scanner scanner_;
  mutable object_memory objects_;
  mutable proven_places places_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
