// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <tgmap/bridge/grib_input.hpp>
#include <utility>

namespace tgmap {
inline namespace v0 {
namespace bridge {

namespace {

failure system_failure(int number) noexcept { return {.code = std::error_code(number, std::system_category())}; }

/// Reads until `out` is full or the file ends. `offset` counts for files that can seek; -1: the current position.
std::size_t read_from(int descriptor, std::int64_t offset, std::span<std::byte> out, failure& why) noexcept {
  std::size_t done = 0;
  while (done < out.size()) {
    const std::size_t wanted = std::min(out.size() - done, std::size_t{1} << 30U);
    const ssize_t count = offset < 0
                              ? ::read(descriptor, out.data() + done, wanted)
                              : ::pread(descriptor, out.data() + done, wanted, offset + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      why = errno == EISDIR ? failure{.code = tgmap::errc::is_directory} : system_failure(errno);
      return done;
    }
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

/// Opens a temporary file without a name, in the folder that TMPDIR names.
std::FILE* open_unnamed(failure& why) noexcept try {
  std::string name = (std::filesystem::temp_directory_path() / "tgmap-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  std::FILE* const out = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
  if (out == nullptr) why = system_failure(errno);
  if (descriptor >= 0) ::unlink(name.c_str());
  if (descriptor >= 0 && out == nullptr) ::close(descriptor);
  return out;
} catch (const std::filesystem::filesystem_error& error) {
  why = {.code = error.code()};
  return nullptr;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return nullptr;
}

/// Checks if a file is the one that was read, in the same state.
bool is_same(const struct stat& now, const struct stat& before) noexcept {
  return now.st_dev == before.st_dev && now.st_ino == before.st_ino && now.st_size == before.st_size &&
         now.st_mtim.tv_sec == before.st_mtim.tv_sec && now.st_mtim.tv_nsec == before.st_mtim.tv_nsec;
}

failure write_to(std::FILE* file, std::span<const std::byte> bytes) noexcept {
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size()) return {};
  return system_failure(errno != 0 ? errno : EIO);
}

}  // namespace

grib_input::~grib_input() = default;

void grib_input::read_again(std::uint64_t /*offset*/, std::span<std::byte> /*out*/, failure& why) noexcept {
  why = {.code = std::make_error_code(std::errc::operation_not_supported)};
}

std::size_t grib_memory_input::read(std::span<std::byte> out, failure& why) noexcept {
  why = {};
  const std::size_t count = std::min(out.size(), bytes_.size() - position_);
  if (count != 0) std::memcpy(out.data(), bytes_.data() + position_, count);
  position_ += count;
  return count;
}

void grib_memory_input::read_again(std::uint64_t offset, std::span<std::byte> out, failure& why) noexcept {
  why = {};
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
    why = {.code = tgmap::errc::out_of_range, .offset = offset, .expected = bytes_.size(), .found = out.size()};
    return;
  }
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
}

struct grib_file_input::state {
  std::filesystem::path path{};
  int descriptor = -1;
  bool owns_descriptor = true;
  bool keeps_pipe = false;
  bool is_opened = false;
  bool is_regular = false;
  std::int64_t begin = 0;     // of a regular file that was open already
  std::FILE* copy = nullptr;  // of a pipe
  std::uint64_t position = 0;
  struct stat about {};  // of the file when it was opened

  ~state() {
    close();
    if (copy != nullptr) static_cast<void>(std::fclose(copy));
  }

  void close() noexcept {
    if (owns_descriptor && descriptor >= 0) ::close(std::exchange(descriptor, -1));
  }

  int open_path(failure& why) const noexcept {
    const int out = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (out < 0) why = system_failure(errno);
    return out;
  }

  void open(failure& why) noexcept {
    if (owns_descriptor && (descriptor = open_path(why)) < 0) return;
    if (::fstat(descriptor, &about) != 0)
      why = system_failure(errno);
    else if (S_ISDIR(about.st_mode))
      why = {.code = tgmap::errc::is_directory};
    is_regular = S_ISREG(about.st_mode);
    if (is_regular && !owns_descriptor) begin = std::max<std::int64_t>(0, ::lseek(descriptor, 0, SEEK_CUR));
    if (!why && !is_regular && keeps_pipe) copy = open_unnamed(why);
    is_opened = !why;
    if (why) close();
  }
};

grib_file_input::grib_file_input(std::filesystem::path file, bool keeps_pipe) : state_(std::make_unique<state>()) {
  state_->path = std::move(file);
  state_->keeps_pipe = keeps_pipe;
}

grib_file_input::grib_file_input(int descriptor, bool keeps_pipe) : state_(std::make_unique<state>()) {
  state_->descriptor = descriptor;
  state_->owns_descriptor = false;
  state_->keeps_pipe = keeps_pipe;
}

grib_file_input::~grib_file_input() = default;

std::size_t grib_file_input::read(std::span<std::byte> out, failure& why) noexcept {
  why = {};
  state& at = *state_;
  if (!at.is_opened) at.open(why);
  if (why) return 0;
  if (at.descriptor < 0 || out.empty()) return 0;  // at its end
  const std::size_t count = read_from(at.descriptor, -1, out, why);
  if (!why && at.copy != nullptr) why = write_to(at.copy, out.first(count));
  if (why) return 0;
  at.position += count;
  if (count == 0) at.close();
  return count;
}

void grib_file_input::read_again(std::uint64_t offset, std::span<std::byte> out, failure& why) noexcept {
  why = {};
  state& at = *state_;
  if (!at.is_opened || offset > at.position || out.size() > at.position - offset) {
    why = {.code = tgmap::errc::out_of_range, .offset = offset, .expected = at.position, .found = out.size()};
    return;
  }
  if (!at.is_regular && at.copy == nullptr) return grib_input::read_again(offset, out, why);
  if (at.copy != nullptr && std::fflush(at.copy) != 0) {
    why = system_failure(errno);
    return;
  }
  const bool reopens = at.copy == nullptr && at.owns_descriptor;
  const int from = at.copy != nullptr ? ::fileno(at.copy) : reopens ? at.open_path(why) : at.descriptor;
  if (why) return;
  if (struct stat now{}; at.copy == nullptr && (::fstat(from, &now) != 0 || !is_same(now, at.about))) {
    why = {.code = tgmap::errc::source_changed};
    if (reopens) ::close(from);
    return;
  }
  const std::int64_t begin = at.copy != nullptr ? 0 : at.begin;
  const std::size_t count = read_from(from, begin + static_cast<std::int64_t>(offset), out, why);
  if (!why && count != out.size()) why = {.code = tgmap::errc::file_shrank, .expected = out.size(), .found = count};
  if (reopens) ::close(from);
}

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap
