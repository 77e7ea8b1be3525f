// SPDX-License-Identifier: Apache-2.0
#include "io/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/copy.hpp>
#include <cerrno>
#include <cstdlib>
#include <istream>
#include <new>
#include <string>

namespace tgmap::io {

namespace {

namespace streams = boost::iostreams;

constexpr std::streamsize chunk = 1 << 20;  // one MiB: few calls, and a pipe never holds more

/// Repeats a call that a signal interrupted. Throws std::system_error.
template <class Call>
std::streamsize until_done(const Call& call) {
  for (;;) {
    const auto done = call();
    if (done >= 0) return done;
    if (errno != EINTR) throw std::system_error(errno, std::system_category());
  }
}

constexpr const char* temporary_folder = "temporary folder (TMPDIR)";  // the place of a failure

/// The temporary file cannot be written. Reading the input throws std::system_error.
class temporary_file_error : public std::system_error {
 public:
  using std::system_error::system_error;
};

// Descriptors for Boost.Iostreams. Its own classes are in a library that needs four others, and lose errno.
class descriptor_source {
 public:
  using char_type = char;
  using category = streams::source_tag;
  explicit descriptor_source(int from) noexcept : from_(from) {}
  std::streamsize read(char* to, std::streamsize most) {
    const auto got = until_done([&] { return ::read(from_, to, static_cast<std::size_t>(most)); });
    return got == 0 && most != 0 ? -1 : got;
  }

 private:
  int from_;
};

class descriptor_sink {
 public:
  using char_type = char;
  using category = streams::sink_tag;
  explicit descriptor_sink(int to) noexcept : to_(to) {}
  std::streamsize write(const char* from, std::streamsize size) {
    for (std::streamsize done = 0; done < size;) done += write_some(from + done, static_cast<std::size_t>(size - done));
    return size;
  }

 private:
  std::streamsize write_some(const char* from, std::size_t size) const try {
    return until_done([&] { return ::write(to_, from, size); });
  } catch (const std::system_error& why) {
    throw temporary_file_error(why.code());
  }

  int to_;
};

file temporary_file(failure& why) {
  std::error_code problem;
  const std::string folder = std::filesystem::temp_directory_path(problem).string();
  if (problem) {
    why = {.code = {problem.value(), std::system_category()}, .argument = temporary_folder};
    return file();
  }
#ifdef O_TMPFILE
  if (const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0)
    return file(descriptor);
#endif
  std::string name = folder + "/tgmap-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) {
    why = system_failure();
    why.argument = temporary_folder;
    return file();
  }
  ::unlink(name.c_str());
  return file(descriptor);
}

/// Runs `copy_into(sink)` on a new temporary file and turns exceptions into failures.
template <class Copy>
file spooled(failure& why, const Copy& copy_into) noexcept {
  try {
    file out = temporary_file(why);
    if (why) return out;
    copy_into(descriptor_sink(out.descriptor()));
    return out;
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  } catch (const temporary_file_error& e) {
    why = {.code = e.code(), .argument = temporary_folder};
  } catch (const std::system_error& e) {
    // A stream that throws sets no errno.
    const bool of_system = e.code().category() == std::system_category();
    why = {.code = {of_system ? e.code().value() : EIO, std::system_category()}};
  } catch (...) {
    why = {.code = {EIO, std::system_category()}};
  }
  return file();
}

}  // namespace

file spool(const file& file, failure& why) noexcept {
  return spooled(
      why, [&](const descriptor_sink& sink) { streams::copy(descriptor_source(file.descriptor()), sink, chunk); });
}

file spool(std::istream& from, failure& why) noexcept {
  return spooled(why, [&](const descriptor_sink& sink) {
    streams::copy(from, sink, chunk);
    if (from.bad()) throw std::system_error(EIO, std::system_category());
  });
}

}  // namespace tgmap::io
