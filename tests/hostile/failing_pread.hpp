// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tgmap_test {

/// What happens to the positioned reads of this process.
enum class reads { as_ever, interrupted, shortened, failing, ending };

/// From now on: the `which`th read (from 0) does `how`, all others are as ever. `interrupted`: EINTR once;
/// `shortened`: half of what was asked for, at least a byte; `failing`: EIO; `ending`: nothing more, as at the end.
void disturb_read(long which, reads how);

/// The same, and every read behind that one does `how`, too.
void disturb_reads_from(long which, reads how);

/// All reads do `how`, every other time.
void disturb_reads(reads how);

/// Reads since the last call of one of the above.
long reads_made();

struct read_range {
  std::uint64_t offset;
  std::size_t size;
};

/// From now on what is asked for is added there; null: no longer.
void record_reads(std::vector<read_range>*);

}  // namespace tgmap_test
