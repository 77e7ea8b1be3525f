// SPDX-License-Identifier: Apache-2.0
#include "io/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/file_descriptor.hpp>
#include <cerrno>
#include <cstdlib>
#include <istream>
#include <new>
#include <string>

namespace tgmap::io {

namespace {

namespace streams = boost::iostreams;

constexpr std::streamsize chunk = 1 << 20;  // a megabyte: few calls, and a pipe never holds more

file temporary_file(failure& why) {
  const std::string folder = std::filesystem::temp_directory_path().string();
#ifdef O_TMPFILE
  if (const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0)
    return file(descriptor);
#endif
  std::string name = folder + "/tgmap-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) {
    why = system_failure();
    return file();
  }
  ::unlink(name.c_str());
  return file(descriptor);
}

/// Runs `copy_into(sink)` on a new temporary file and turns whatever it throws into a failure.
template <class Copy>
file spooled(failure& why, const Copy& copy_into) noexcept {
  try {
    file out = temporary_file(why);
    if (why) return out;
    errno = 0;
    streams::file_descriptor_sink sink(out.descriptor(), streams::never_close_handle);
    copy_into(sink);
    return out;
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  } catch (const std::system_error& e) {
    // Boost.Iostreams tells of read and write errors by ios_base::failure, which has lost the errno it came from.
    why = {.code = {errno != 0 ? errno : EIO, std::system_category()}};
    if (e.code().category() == std::system_category() || e.code().category() == std::generic_category())
      why.code = {e.code().value(), std::system_category()};
  } catch (...) {
    why = {.code = {EIO, std::system_category()}};
  }
  return file();
}

}  // namespace

file spool(const file& from, failure& why) noexcept {
  return spooled(why, [&](auto& sink) {
    streams::copy(streams::file_descriptor_source(from.descriptor(), streams::never_close_handle), sink, chunk);
  });
}

file spool(std::istream& from, failure& why) noexcept {
  return spooled(why, [&](auto& sink) {
    streams::copy(from, sink, chunk);
    if (from.bad()) throw std::system_error(EIO, std::system_category());
  });
}

}  // namespace tgmap::io
