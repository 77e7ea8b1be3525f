// SPDX-License-Identifier: Apache-2.0
// Opens what indexes are made from and compared with.
#pragma once

#include <filesystem>
#include <memory>
#include <tgmap/archive.hpp>

#include "index_file/reader.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Opens the bytes of an archive again, as far as they reach now, numbered across damage and without an index.
/// Errors: no_archive, of the operating system.
archive rescanned(const archive&, failure&);

/// Opens an index file whoever owns it. Errors: those of reader::open, of the operating system.
std::shared_ptr<const index_file::reader> open_index_file(const std::filesystem::path&, failure&);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
