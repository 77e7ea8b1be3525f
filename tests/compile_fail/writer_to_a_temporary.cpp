// SPDX-License-Identifier: Apache-2.0
// A sink must live longer than its writer.
#include <tgmap/write/writer.hpp>

void write() {
#ifdef TGMAP_MUST_FAIL
  tgmap::writer out(tgmap::memory_sink{});
  out.write(tgmap::new_message());
#else
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  out.write(tgmap::new_message());
#endif
}
