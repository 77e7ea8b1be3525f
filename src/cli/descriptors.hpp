// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tgmap::cli {

/// Standard input, output and error are descriptors 0 to 2, whoever closed them: else the next file that is opened is
/// one of them, and what is said goes into an archive. Using one that was closed is EBADF as ever. Before anything is
/// opened.
void hold_standard_descriptors() noexcept;

/// As many files open at once as the system lets this process have: archives stay open until all of them are written.
void allow_many_descriptors() noexcept;

}  // namespace tgmap::cli
