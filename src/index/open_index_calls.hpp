// SPDX-License-Identifier: Apache-2.0
// The calls of tools/index.hpp for an index that is open, and what they begin with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>

#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Opens the bytes of an archive again, as far as they reach now, numbered across damage and without an index.
/// Errors: no_archive, of the operating system.
archive rescanned(const archive&, failure&);

/// Opens an index file whoever owns it. Errors: those of reader::open, not_an_index also of a file that is not regular,
/// of the operating system.
std::shared_ptr<const index_file::reader> open_index_file(const std::filesystem::path&, failure&);

/// Does what check_index does, but writes nothing. Sets the stamp that the index may get: nothing if the archive
/// changed meanwhile, or has no time that can be compared. May throw std::bad_alloc, and what `index_options::progress`
/// throws.
index_summary check_open_index(const archive&, const index_file::reader&, const index_options&,
                               std::optional<io::file_stamp>&, failure&);

/// An index that is extended; or none.
struct old_index {
  std::shared_ptr<const index_file::reader> index{};

  /// The archive has the bytes that the index covers, though the index is not current: the caller has locked the
  /// archive, and saw a current index before it wrote. Otherwise the bytes are read again unless the index is current.
  bool is_known_to_fit = false;
};

/// Does what update_index does. May throw the same.
index_summary extend_index(const archive&, const old_index&, sink&, const index_options&, failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
