// SPDX-License-Identifier: Apache-2.0
#include "zio/stream/leased_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <tgmap/mapping_guard.hpp>

namespace tgmap::zio {

leased_file::leased_file(const std::string& path) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // does not wait for the other end of a pipe
  struct stat status {};
  if (file_ >= 0 && (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode))) {
    ::close(file_);
    file_ = -1;
  }
  if (file_ < 0) return;
  // SIGIO announces a waiting writer and would end the process; is_break_requested() asks for it instead.
  ::signal(SIGIO, SIG_IGN);
  leased_ = ::fcntl(file_, F_SETLEASE, F_RDLCK) == 0;
  // EAGAIN: the file is open for writing. Files of other users or machines have no leases and count as stable.
  may_change_ = !leased_ && errno == EAGAIN;
}

leased_file::~leased_file() {
  if (file_ >= 0) ::close(file_);
}

failure leased_file::check_length(std::uint64_t bytes) const {
  if (file_ < 0) return {};
  struct stat status {};
  if (::fstat(file_, &status) != 0) return {.code = {errno, std::system_category()}};
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return size >= bytes ? failure{} : failure{.code = tgmap::errc::file_shrank, .expected = bytes, .found = size};
}

bool leased_file::is_break_requested() const { return leased_ && ::fcntl(file_, F_GETLEASE) != F_RDLCK; }

void leased_file::release_lease() {
  if (!leased_) return;
  ::fcntl(file_, F_SETLEASE, F_UNLCK);
  leased_ = false;
  force_copies();
}

failure copy_payload(message& m, std::uint64_t& copied) {
  for (part& each : m.payload) {
    const std::size_t size = each.bytes.size();
    if (size == 0) continue;
    const auto copy = std::make_shared_for_overwrite<std::byte[]>(size);
    const std::byte* const from = each.bytes.data();
    std::byte* const to = copy.get();
    if (failure why = mapping_guard::run([=]() noexcept { std::memcpy(to, from, size); })) return why;
    each = {{to, size}, pin(copy)};
    copied += size;
  }
  return {};
}

}  // namespace tgmap::zio
