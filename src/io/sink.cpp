// SPDX-License-Identifier: Apache-2.0
#include <tgmap/write/sink.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <new>
#include <stdexcept>
#include <vector>

#include "core/memory.hpp"
#include "io/unshared_descriptor.hpp"

namespace tgmap {
inline namespace v0 {

sink::~sink() = default;

failure sink::overwrite(std::uint64_t, std::span<const std::byte>) noexcept { return {.code = errc::cannot_overwrite}; }

failure sink::rollback(std::uint64_t) noexcept { return {.code = errc::cannot_overwrite}; }

failure sink::flush() noexcept { return {}; }

void sink::set_unfinished(bool) noexcept {}

void sink::message_refused() noexcept {}

namespace {

/// Grows the capacity to at least twice the size, with room for the end of a message after a large object. Uses huge
/// pages, which are filled in less than half the time. Only new memory can become huge pages.
void grow(std::vector<std::byte>& bytes, std::size_t wanted) {
  std::vector<std::byte> larger;
  constexpr std::size_t max_spare = std::size_t{64} << 10;
  larger.reserve(std::max(wanted + std::min(wanted / 8, max_spare), 2 * bytes.size()));
  core::prefer_huge_pages(larger.data(), larger.capacity());
  larger.insert(larger.end(), bytes.begin(), bytes.end());
  bytes.swap(larger);
}

}  // namespace

failure memory_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  std::uint64_t more = 0;
  for (const auto piece : pieces) more += piece.size();
  try {
    if (bytes_.capacity() - bytes_.size() < more) grow(bytes_, bytes_.size() + more);
    for (const auto piece : pieces) bytes_.insert(bytes_.end(), piece.begin(), piece.end());
  } catch (const std::exception&) {  // bad_alloc, and length_error for what no memory could hold
    return {.code = errc::out_of_memory, .found = more};
  }
  return {};
}

failure memory_sink::overwrite(std::uint64_t at, std::span<const std::byte> with) noexcept {
  if (at > bytes_.size() || with.size() > bytes_.size() - at)
    return {.code = errc::out_of_range, .expected = bytes_.size(), .found = at};
  std::copy(with.begin(), with.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at));
  return {};
}

failure memory_sink::rollback(std::uint64_t bytes) noexcept {
  if (bytes > bytes_.size()) return {.code = errc::out_of_range, .expected = bytes_.size(), .found = bytes};
  bytes_.resize(bytes_.size() - static_cast<std::size_t>(bytes));
  return {};
}

namespace {

// Pieces of this size are written directly: copying them into the buffer would cost more.
constexpr std::size_t min_direct_size = std::size_t{32} << 10;

iovec as_iovec(std::span<const std::byte> bytes) noexcept {
  return {.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};
}

failure of_errno() noexcept { return {.code = std::error_code(errno, std::system_category())}; }

/// Waits until a non-blocking descriptor accepts bytes.
bool wait_for_room(int descriptor) noexcept {
  pollfd one{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return ::poll(&one, 1, -1) >= 0 || errno == EINTR;
}

/// Writes all pieces, including empty ones. Adds the number of written bytes to `done`, also on an error.
failure write_out(int descriptor, std::span<iovec> pieces, std::uint64_t& done) noexcept {
  while (!pieces.empty()) {
    if (pieces.front().iov_len == 0) {
      pieces = pieces.subspan(1);
      continue;
    }
    const ssize_t now = ::writev(descriptor, pieces.data(), static_cast<int>(pieces.size()));
    if (now < 0) {
      if (errno == EINTR || (errno == EAGAIN && wait_for_room(descriptor))) continue;
      return of_errno();
    }
    auto left = static_cast<std::size_t>(now);
    done += left;
    while (!pieces.empty() && left >= pieces.front().iov_len) {
      left -= pieces.front().iov_len;
      pieces = pieces.subspan(1);
    }
    if (pieces.empty() || left == 0) continue;
    pieces.front().iov_base = static_cast<std::byte*>(pieces.front().iov_base) + left;
    pieces.front().iov_len -= left;
  }
  return {};
}

/// Returns why a descriptor cannot be written to, as far as its flags tell.
std::error_code why_unusable(int descriptor) noexcept {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) return {errno, std::system_category()};
  return (flags & O_ACCMODE) == O_RDONLY ? std::error_code(EBADF, std::system_category()) : std::error_code();
}

/// Returns the offset of the next byte in a regular file; -1 for other files, and for files opened for appending.
std::int64_t position_in_file(int descriptor) noexcept {
  struct stat facts {};
  if (::fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode)) return -1;
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_APPEND) != 0) return -1;
  return ::lseek(descriptor, 0, SEEK_CUR);
}

}  // namespace

descriptor_sink::descriptor_sink(int descriptor, std::size_t gather)
    : descriptor_(descriptor),
      forks_(io::forks()),
      unusable_(why_unusable(descriptor)),
      start_(unusable_ ? -1 : position_in_file(descriptor)),
      gather_(gather) {
  held_.reserve(gather);  // so that writing to the buffer cannot fail
}

descriptor_sink::descriptor_sink(int descriptor, failure& why) noexcept
    : descriptor_sink(descriptor, default_buffer_size, why) {}

descriptor_sink::descriptor_sink(int descriptor, std::size_t gather, failure& why) noexcept
    : descriptor_(descriptor),
      forks_(io::forks()),
      unusable_(why_unusable(descriptor)),
      start_(unusable_ ? -1 : position_in_file(descriptor)),
      gather_(gather) {
  why = {.code = unusable_};
  try {
    held_.reserve(gather);
  } catch (const std::exception&) {  // bad_alloc, and length_error for what no memory could hold
    gather_ = 0;                     // everything is written directly
    if (!why) why = {.code = errc::out_of_memory, .found = gather};
  }
}

descriptor_sink::~descriptor_sink() {
  if (forks_ == io::forks()) static_cast<void>(put_out({}));
}

failure descriptor_sink::write(std::span<const std::span<const std::byte>> pieces) noexcept {
  if (unusable_) return {.code = unusable_};
  for (const auto piece : pieces) {
    const bool direct = piece.size() >= std::min(min_direct_size, gather_);
    if (!direct && piece.size() <= gather_ - held_.size()) {
      held_.insert(held_.end(), piece.begin(), piece.end());
      continue;
    }
    if (failure why = put(direct ? piece : std::span<const std::byte>())) return why;
    if (!direct) held_.insert(held_.end(), piece.begin(), piece.end());
  }
  return {};
}

/// Writes the buffer, and a piece after it.
failure descriptor_sink::put(std::span<const std::byte> piece) noexcept {
  if (held_.empty() && piece.empty()) return {};
  if (failure why = before_put(out_, held_.size() + piece.size())) return why;
  return put_out(piece);
}

/// Writes the buffer and a piece. Removes what was written from the buffer, also on an error.
failure descriptor_sink::put_out(std::span<const std::byte> piece) noexcept {
  std::array<iovec, 2> pieces{as_iovec(held_), as_iovec(piece)};
  std::uint64_t done = 0;
  const failure why = write_out(descriptor_, pieces, done);
  out_ += done;
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(done, held_.size())));
  return why;
}

failure descriptor_sink::before_put(std::uint64_t, std::uint64_t) noexcept { return {}; }

failure descriptor_sink::flush() noexcept { return unusable_ ? failure{.code = unusable_} : put({}); }

failure descriptor_sink::overwrite(std::uint64_t at, std::span<const std::byte> with) noexcept {
  if (!can_overwrite()) return {.code = errc::cannot_overwrite};
  if (at > bytes_written() || with.size() > bytes_written() - at)
    return {.code = errc::out_of_range, .expected = bytes_written(), .found = at};
  if (failure why = flush()) return why;
  while (!with.empty()) {
    const ssize_t done = ::pwrite(descriptor_, with.data(), with.size(), start_ + static_cast<off_t>(at));
    if (done < 0 && errno != EINTR) return of_errno();
    if (done <= 0) continue;
    at += static_cast<std::uint64_t>(done);
    with = with.subspan(static_cast<std::size_t>(done));
  }
  return {};
}

failure descriptor_sink::rollback(std::uint64_t bytes) noexcept {
  if (bytes > bytes_written()) return {.code = errc::out_of_range, .expected = bytes_written(), .found = bytes};
  const auto held = std::min<std::uint64_t>(bytes, held_.size());
  held_.erase(held_.end() - static_cast<std::ptrdiff_t>(held), held_.end());
  bytes -= held;
  if (bytes == 0) return {};
  if (!can_overwrite()) return {.code = errc::cannot_overwrite};
  const off_t end = start_ + static_cast<off_t>(out_ - bytes);
  if (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) < 0) return of_errno();
  out_ -= bytes;
  return {};
}

}  // namespace v0
}  // namespace tgmap
