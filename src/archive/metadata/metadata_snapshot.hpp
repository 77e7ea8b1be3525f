// SPDX-License-Identifier: Apache-2.0
// A copy of CBOR to check and read, and where the same bytes are in the archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tgmap/cbor_view.hpp>

#include "io/read_buffer.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// A `metadata_snapshot` holds a copy: bytes of a mapping may change or disappear between two reads.
class metadata_snapshot {
 public:
  /// Loads the bytes [at, at + size) of the archive. Errors: resident_limit, out_of_memory, I/O.
  failure load(const io::source& in, std::uint64_t at, std::uint64_t size,
               io::locality what = io::locality::scattered) noexcept {
    failure why;
    archive_bytes_ = in.view(at, size, io::budget::structure, why);
    if (!why) copy_ = in.mapped() == nullptr ? archive_bytes_ : scratch_.bytes(in, at, size, why, what);
    return why;
  }

  /// The same, for callers that do not need in_archive(): holds nothing in the archive.
  failure load_temporary(const io::source& in, std::uint64_t at, std::uint64_t size,
                         io::locality what = io::locality::scattered) noexcept {
    failure why;
    copy_ = scratch_.bytes(in, at, size, why, what);
    return why;
  }

  /// Returns memory for a copy of `size` bytes, which the caller fills. Errors: out_of_memory.
  std::span<std::byte> prepare(std::uint64_t size, failure& why) noexcept {
    const std::span<std::byte> out = scratch_.prepare(size, why);
    copy_ = out;
    return out;
  }

  std::span<const std::byte> bytes() const noexcept { return copy_; }

  /// Returns the offset of an item of the copy.
  std::size_t offset_of(const cbor_view& item) const noexcept {
    return static_cast<std::size_t>(item.bytes_to_end().data() - copy_.data());
  }

  /// Returns an item of the copy where it is in the archive, and lives as long.
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
