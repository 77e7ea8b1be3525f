// SPDX-License-Identifier: Apache-2.0
// Text is not an element type.
#include <string>
#include <tgmap/write/stream_writer.hpp>
#include <vector>

void append(tgmap::stream_writer& out, const std::string& text, std::vector<float>& elements) {
#ifdef TGMAP_MUST_FAIL
  out.append_elements(text);
#else
  (void)text;
  out.append_elements(elements);
#endif
}
