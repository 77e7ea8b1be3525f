// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tgmap_interop {

/// Reads every object of an archive: their elements, native, go into a file one after another, and what they are to
/// standard output, one JSON object a message. Throws tgmap::error where something cannot be read.
void read_archive(const std::filesystem::path& archive, const std::filesystem::path& values);

}  // namespace tgmap_interop
