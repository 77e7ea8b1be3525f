// SPDX-License-Identifier: Apache-2.0
// Opening an archive is explicit: a path is not converted to one.
#include <tgmap/tgmap.hpp>

std::uint64_t bytes(const tgmap::archive& archive) { return archive.size_bytes(); }

std::uint64_t of(const std::filesystem::path& path) {
#ifdef TGMAP_MUST_FAIL
  return bytes(path);
#else
  return bytes(tgmap::archive(path));
#endif
}
