// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tgmap_interop {

/// Reads every object of an archive. Writes the elements, in native byte order, to the file `values`, and a description
/// of each message to standard output, as one JSON object a line. Throws tgmap::error if a part cannot be read.
void read_archive(const std::filesystem::path& archive, const std::filesystem::path& values);

}  // namespace tgmap_interop
