// SPDX-License-Identifier: Apache-2.0
// A path is not an archive: opening is said out loud.
#include <tgmap/tgmap.hpp>

std::uint64_t bytes(const tgmap::archive& archive) { return archive.size_bytes(); }

std::uint64_t of(const std::filesystem::path& path) {
#ifdef TGMAP_MUST_FAIL
  return bytes(path);
#else
  return bytes(tgmap::archive(path));
#endif
}
