// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/archive.hpp>

namespace tgmap::cli {

/// Whether parts of two archives are known to be equal, compared where they lie. What cannot be read is not: it is told
/// of where it is looked into. Never a signal; throws std::bad_alloc.
bool same_in_files(const archive& left_archive, const message& left, const archive& right_archive,
                   const message& right);

/// The same of what is between header and tail of two frames.
bool same_in_files(const archive& left_archive, const frame& left, const archive& right_archive, const frame& right);

}  // namespace tgmap::cli
