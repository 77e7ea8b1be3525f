// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace tgmap_test {

/// Bytes at the end of readable memory: a read past the end is a SIGSEGV. The page before them is not readable, either.
class guarded_bytes {
 public:
  explicit guarded_bytes(std::size_t capacity);
  ~guarded_bytes();
  guarded_bytes(const guarded_bytes&) = delete;
  guarded_bytes& operator=(const guarded_bytes&) = delete;

  /// Replaces the bytes, at most `capacity`.
  std::span<const std::byte> hold(std::string_view);

 private:
  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0, page_ = 0;
};

}  // namespace tgmap_test
