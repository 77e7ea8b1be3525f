// SPDX-License-Identifier: Apache-2.0
// Compares the hash of an object with its bytes while they are decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tgmap/error.hpp>
#include <tgmap/object.hpp>

#include "core/memory.hpp"

struct XXH3_state_s;

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `payload_check` compares the stored hash of an object with its bytes. The caller adds the payload in order; the
/// check reads all other bytes that the hash covers. Lifetime: the object must outlive it. For one thread.
class payload_check {
 public:
  /// Finds the stored hash and reads the bytes around the payload, at most `max_bytes` of masks.
  /// Errors: decoded_limit, duplicate_key, out_of_memory, file_shrank, of the operating system.
  failure open(const object&, std::uint64_t max_bytes) noexcept;

  /// Returns whether the object has a hash that can be compared. Without one the other members may not be called.
  bool has_hash() const noexcept { return hash_ != nullptr; }

  /// Returns the masks, which are the bytes of the region behind the payload.
  std::span<const std::byte> masks() const noexcept { return masks_; }

  /// Hashes the next bytes of the payload.
  void add(std::span<const std::byte>) noexcept;

  /// Copies the whole payload to `out` and hashes it. Errors: file_shrank, of the operating system.
  failure load(std::span<std::byte> out) noexcept;

  /// Compares the hash after the whole payload was added. A file that has become shorter is not a mismatch.
  /// Errors: hash_mismatch, file_shrank.
  failure finish() noexcept;

 private:
  struct free_state {
    void operator()(XXH3_state_s*) const noexcept;
  };
  const object* object_ = nullptr;
  std::uint64_t stored_hash_ = 0;
  std::unique_ptr<XXH3_state_s, free_state> hash_{};
  core::scratch around_{};                         // the bytes before the payload, then those behind it
  std::span<const std::byte> behind_{}, masks_{};  // `masks_` is the first part of `behind_`
};

/// Compares the stored hash of an object with its bytes. Succeeds without a hash.
/// Errors: hash_mismatch; those of object::verify.
failure check_hash(const object&) noexcept;

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
