// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace tgmap_test {

/// Returns the bytes that read calls of this process have returned so far; 0 if the system does not count them.
inline std::uint64_t bytes_read() {
  std::ifstream counts("/proc/self/io");
  std::string name;
  for (std::uint64_t value = 0; counts >> name >> value;)
    if (name == "rchar:") return value;
  return 0;
}

}  // namespace tgmap_test
