// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tgmap {
inline namespace v0 {
namespace constant {

/// Writes a finite number as Java's Double.toString does (of JDK 19 and later; earlier ones sometimes have more digits
/// than it takes): `1.0`, `1.0E10`, `1.0E-4`, `-0.0`. At most 25 characters. Returns the end.
char* put_java_double(char* to, double) noexcept;

}  // namespace constant
}  // namespace v0
}  // namespace tgmap
