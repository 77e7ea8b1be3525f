// SPDX-License-Identifier: Apache-2.0
// Structure that is looked at and then forgotten: in the mapping where there is one, else in a buffer of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "io/source.hpp"

namespace tgmap::io {

/// Holds the bytes of one read, small ones without allocation. For one thread.
class scratch {
 public:
  /// The bytes [offset, offset + size), which the caller has checked to lie within the source and its own limits.
  /// Valid until the next call. Errors: out_of_memory, those of source::read.
  std::span<const std::byte> bytes(const source& in, std::uint64_t offset, std::uint64_t size, failure& why) noexcept {
    if (const std::byte* all = in.mapped()) return {all + offset, static_cast<std::size_t>(size)};
    return copy(in, offset, size, why);
  }

  /// The same, copied by positioned reads even where there is a mapping: never a signal.
  std::span<const std::byte> copy(const source& in, std::uint64_t offset, std::uint64_t size, failure& why) noexcept {
    std::byte* to = small_.data();
    if (size > small_.size()) {
      large_.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(size)]);
      to = large_.get();
      if (to == nullptr) {
        why = {.code = errc::out_of_memory, .offset = offset, .found = size};
        return {};
      }
    }
    const std::span<std::byte> out(to, static_cast<std::size_t>(size));
    why = in.read(offset, out);
    return why ? std::span<const std::byte>{} : out;
  }

 private:
  std::array<std::byte, 4096> small_;
  std::unique_ptr<std::byte[]> large_;
};

}  // namespace tgmap::io
