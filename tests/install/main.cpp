// SPDX-License-Identifier: Apache-2.0
// What a user's first program does: include everything, link, and run.
#include <cstdio>
#include <tgmap/tgmap.hpp>

int main() {
  std::puts(TGMAP_VERSION_STRING);
  return 0;
}
