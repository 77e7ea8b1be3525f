// SPDX-License-Identifier: Apache-2.0
// Structure that outlives the call in values: a copy to check and read it by, and the place where its bytes last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>

#include "io/read_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// In a mapping, bytes may change or go away between two looks; what was read into memory stays.
class metadata_snapshot {
 public:
  /// The bytes [at, at + size) of the archive. Errors: resident_limit, out_of_memory, I/O.
  failure load(const io::source& in, std::uint64_t at, std::uint64_t size,
               io::locality what = io::locality::scattered) noexcept {
    failure why;
    archive_bytes_ = in.view(at, size, io::budget::structure, why);
    if (!why) copy_ = in.mapped() == nullptr ? archive_bytes_ : scratch_.bytes(in, at, size, why, what);
    return why;
  }

  /// The same for bytes of which nothing will last: none of them is held.
  failure load_temporary(const io::source& in, std::uint64_t at, std::uint64_t size,
                         io::locality what = io::locality::scattered) noexcept {
    failure why;
    copy_ = scratch_.bytes(in, at, size, why, what);
    return why;
  }

  std::span<const std::byte> bytes() const noexcept { return copy_; }

  /// Where an item of the copy begins.
  std::size_t offset_of(const cbor_view& item) const noexcept {
    return static_cast<std::size_t>(item.bytes_to_end().data() - copy_.data());
  }

  /// An item of the copy, where it lasts.
  cbor_view in_archive(const cbor_view& item) const noexcept {
    return cbor_view(archive_bytes_.subspan(offset_of(item)));
  }

 private:
  io::read_buffer scratch_;
  std::span<const std::byte> copy_, archive_bytes_;
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
