// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <support/builder.hpp>

namespace tgmap_test {

/// Version 3, buffered: float32 [2, 3] with 1 to 6, and uint8 [4] with "abcd".
bytes two_objects();
/// Version 2, buffered: int16 [3], big endian, with 1 to 3.
bytes old_message();
/// Version 3, streamed: float64 [2] with 0.5 and -1.
bytes streamed_message();
/// Version 3: an object with zstd, shuffle and a mask.
bytes packed_message();
/// Version 3, its index pointing at no object: objects cannot be counted or read.
bytes lying_message();

/// The first three messages in a row.
bytes forecast();

}  // namespace tgmap_test
