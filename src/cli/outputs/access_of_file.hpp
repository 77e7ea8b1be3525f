// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/outputs/output_place.hpp"

namespace tgmap::cli {

/// Gives a file that is to replace another one its owner, group, permissions and access control list, as far as this
/// process may: who could not read or write the old one cannot do so with the new one. What cannot be kept is left out
/// rather than given to others; a program that runs as its owner does not, where the owner changes.
void take_access(int descriptor, const output_place& of);

}  // namespace tgmap::cli
