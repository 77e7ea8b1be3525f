// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/iostreams/stream.hpp>
#include <tgmap/archive.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {

/// Opens an archive that a Boost.Iostreams source delivers: a decompressor, a socket, or a device of your own.
///
/// Random access needs all bytes. The source is therefore read to its end into an unlinked temporary file, which is
/// opened like any file.
/// Errors: those of archive::from_stream. Exceptions of the source pass through.
/// Complexity: O(bytes).
template <class Source>
archive archive_from_source(Source source, const open_options& options = {}) {
  boost::iostreams::stream<Source> stream(std::move(source));
  return archive::from_stream(stream, options);
}

}  // namespace v0
}  // namespace tgmap
