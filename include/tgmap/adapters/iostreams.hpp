// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/iostreams/stream.hpp>
#include <tgmap/archive.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {

/// Opens an archive that comes through any Boost.Iostreams source (a decompressor, a socket, a device of your own).
///
/// The source is read to its end into an unlinked temporary file, which is then opened as a file is: random access
/// needs all bytes. O(bytes). Errors: those of archive::from_stream; what the source throws.
template <class Source>
archive archive_from_source(Source source, const open_options& options = {}) {
  boost::iostreams::stream<Source> stream(std::move(source));
  return archive::from_stream(stream, options);
}

}  // namespace v0
}  // namespace tgmap
