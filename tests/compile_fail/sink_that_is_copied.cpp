// SPDX-License-Identifier: Apache-2.0
// Two sinks of one file would disagree on its size.
#include <tgmap/write/sink.hpp>

void write(const tgmap::memory_sink& sink) {
#ifdef TGMAP_MUST_FAIL
  tgmap::memory_sink another = sink;
#else
  const tgmap::memory_sink& another = sink;
#endif
  (void)another;
}
