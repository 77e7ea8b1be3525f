// SPDX-License-Identifier: Apache-2.0
// Two sinks would both think that they know where the file ends.
#include <tgmap/write/sink.hpp>

void write(const tgmap::memory_sink& to) {
#ifdef TGMAP_MUST_FAIL
  tgmap::memory_sink another = to;
#else
  const tgmap::memory_sink& another = to;
#endif
  (void)another;
}
