// SPDX-License-Identifier: Apache-2.0
// Structure that outlives the call in values: a copy to check and read it by, and the place where its bytes last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>

#include "io/scratch.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// In a mapping, bytes may change or go away between two looks; what was read into memory stays.
class structure_copy {
 public:
  /// The bytes [at, at + size) of the archive. Errors: resident_limit, out_of_memory, I/O.
  failure load(const io::source& in, std::uint64_t at, std::uint64_t size,
               io::nearby what = io::nearby::unwanted) noexcept {
    failure why;
    lasting_ = in.view(at, size, io::held::structure, why);
    if (!why) copy_ = in.mapped() == nullptr ? lasting_ : scratch_.bytes(in, at, size, why, what);
    return why;
  }

  /// The same for bytes that have been copied already, to where they stay while this does.
  failure adopt(const io::source& in, std::uint64_t at, std::span<const std::byte> copy) noexcept {
    failure why;
    lasting_ = in.view(at, copy.size(), io::held::structure, why);
    copy_ = in.mapped() == nullptr ? lasting_ : copy;
    return why;
  }

  /// The same for bytes of which nothing will last: none of them is held.
  failure look_at(const io::source& in, std::uint64_t at, std::uint64_t size,
                  io::nearby what = io::nearby::unwanted) noexcept {
    failure why;
    copy_ = scratch_.bytes(in, at, size, why, what);
    return why;
  }

  std::span<const std::byte> bytes() const noexcept { return copy_; }

  /// Where an item of the copy begins.
  std::size_t place(const cbor_view& of_copy) const noexcept {
    return static_cast<std::size_t>(of_copy.bytes_to_end().data() - copy_.data());
  }

  /// An item of the copy, where it lasts.
  cbor_view lasting(const cbor_view& of_copy) const noexcept { return cbor_view(lasting_.subspan(place(of_copy))); }

 private:
  io::scratch scratch_;
  std::span<const std::byte> copy_, lasting_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
