// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tgmap_test {

/// The behaviour of the positioned reads of this process.
enum class reads { normal, interrupted, shortened, failing, ending };

/// From now on read number `which` (from 0) behaves as `how`, all others are normal. `interrupted`: EINTR once;
/// `shortened`: half of the bytes, at least one; `failing`: EIO; `ending`: as at the end of the file.
void disturb_read(long which, reads how);

/// The same for that read and all later ones.
void disturb_reads_from(long which, reads how);

/// Every other read behaves as `how`.
void disturb_reads(reads how);

/// Returns the number of reads since the last call of a function above.
long reads_made();

struct read_range {
  std::uint64_t offset;
  std::size_t size;
};

/// Records the ranges of reads from now on; null: stops.
void record_reads(std::vector<read_range>*);

}  // namespace tgmap_test
