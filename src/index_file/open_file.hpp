// SPDX-License-Identifier: Apache-2.0
// Opens files that may be indexes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <tgmap/error.hpp>

#include "io/file.hpp"

namespace tgmap::index_file {

/// Says why a file or a symbolic link of this user is not used; no failure if it is used.
using owner_check = std::function<failure(std::uint32_t owner)>;

/// Opens a regular file for reading, before a byte of it is read. Never waits: a pipe, a socket, a device or a folder
/// is not_an_index. Unless it is empty, `check` is asked for the owner of the file, and of each symbolic link that
/// leads to it. Errors: those of `check`; not_an_index, of the operating system. May throw std::bad_alloc.
io::file open_file(const std::filesystem::path&, const owner_check& check, failure&);

}  // namespace tgmap::index_file
