// SPDX-License-Identifier: Apache-2.0
// A sink must live longer than its stream.
#include <tgmap/write/stream_writer.hpp>

void write() {
#ifdef TGMAP_MUST_FAIL
  tgmap::stream_writer(tgmap::memory_sink(), tgmap::cbor_value::map());
#else
  tgmap::memory_sink sink;
  tgmap::stream_writer(sink, tgmap::cbor_value::map());
#endif
}
