// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

namespace tgmap {
inline namespace v0 {

/// Keeps the mapping, the message table and all memory of an archive alive: handles, views and spans stay valid as
/// long as one pin (or the archive) lives. Copyable, may be moved to and dropped on any thread.
class pin {
 public:
  pin() noexcept = default;
  explicit pin(std::shared_ptr<const void> kept) noexcept : kept_(std::move(kept)) {}
  explicit operator bool() const noexcept { return kept_ != nullptr; }

 private:
  std::shared_ptr<const void> kept_;
};

}  // namespace v0
}  // namespace tgmap
