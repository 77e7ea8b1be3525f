// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/detail/output_file.hpp>

namespace tgmap {
inline namespace v0 {
namespace detail {

/// Gives the file behind `descriptor` the owner, group, permissions and access control list of the file that it will
/// replace, as far as this process may. Rights that cannot be kept are dropped, so nobody gains access: in particular
/// set-user-ID is cleared if the owner changes. Precondition: `from.exists`.
void copy_permissions(int descriptor, const output_location& from);

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
