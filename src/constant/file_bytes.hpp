// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <tgmap/error.hpp>

#include "constant/grown_memory.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant {

/// The bytes of a file: mapped, or read into memory where it cannot be, as of a pipe.
class file_bytes {
 public:
  file_bytes(const std::filesystem::path&, failure&) noexcept;
  ~file_bytes();
  file_bytes(const file_bytes&) = delete;
  file_bytes& operator=(const file_bytes&) = delete;

  std::span<const std::byte> bytes() const noexcept { return mapped_.empty() ? read_.bytes() : mapped_; }
  bool mapped() const noexcept { return !mapped_.empty(); }

 private:
  failure take(int descriptor) noexcept;
  failure read_all(int descriptor) noexcept;

  std::span<const std::byte> mapped_{};
  grown_memory read_{};
};

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
