// SPDX-License-Identifier: Apache-2.0
#include "io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string>
#ifdef __linux__
#include <sys/vfs.h>
#endif

namespace tgmap::io {

failure system_failure(std::uint64_t offset) noexcept {
  return {.code = {errno, std::system_category()}, .offset = offset};
}

file::~file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

namespace {

int open_with(const std::filesystem::path& path, int flags, failure& why) noexcept {
  int descriptor = -1;
  do descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) why = system_failure();
  return descriptor;
}

}  // namespace

file file::open(const std::filesystem::path& path, failure& why) noexcept {
  return file(open_with(path, O_RDONLY, why));
}

file file::open(const std::filesystem::path& path, bool& is_link, failure& why) noexcept {
  failure refused;
  file out(open_with(path, O_RDONLY | O_NOFOLLOW, refused));
  is_link = refused.code == std::errc::too_many_symbolic_link_levels;
  if (is_link) return open(path, why);
  why = refused;
  return out;
}

file file::open_at_once(const std::filesystem::path& path, bool no_link, failure& why) noexcept {
  return file(open_with(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (no_link ? O_NOFOLLOW : 0), why));
}

file file::duplicate(int descriptor, failure& why) noexcept {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) why = system_failure();
  return file(copy);
}

failure file::stat(file_kind& kind, std::uint64_t& size, std::uint32_t* owner) const noexcept {
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0) return system_failure();
  kind = S_ISDIR(facts.st_mode)   ? file_kind::directory
         : S_ISREG(facts.st_mode) ? file_kind::regular
                                  : file_kind::stream;
  size = kind == file_kind::regular ? static_cast<std::uint64_t>(facts.st_size) : 0;
  if (owner != nullptr) *owner = facts.st_uid;
  return {};
}

std::optional<file_stamp> file::stamp() const noexcept {
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0 || facts.st_size < 0) return std::nullopt;
  const bool is_known = facts.st_mtim.tv_sec >= 0;
  return file_stamp{.size = static_cast<std::uint64_t>(facts.st_size),
                    .time = is_known ? static_cast<std::uint64_t>(facts.st_mtim.tv_sec) * 1'000'000'000 +
                                           static_cast<std::uint64_t>(facts.st_mtim.tv_nsec)
                                     : 0};
}

unsigned file::permissions() const noexcept {
  struct stat facts {};
  constexpr unsigned owner_alone = 0600, of_data = 0666;
  return ::fstat(descriptor_, &facts) == 0 ? facts.st_mode & of_data : owner_alone;
}

failure file::read(std::uint64_t offset, std::span<std::byte> out) const noexcept {
  constexpr std::size_t largest = std::size_t{1} << 30;  // Linux transfers less than 2 GiB in one call
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::pread(descriptor_, out.data() + done, std::min(out.size() - done, largest),
                              static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_failure(offset + done);
    if (n == 0) return {.code = errc::file_shrank, .offset = offset, .expected = out.size(), .found = done};
    done += static_cast<std::size_t>(n);
  }
  return {};
}

failure file::read(std::uint64_t offset, std::span<std::byte> out, read_cost& cost) const noexcept {
  std::size_t done = 0;
#ifdef RWF_NOWAIT
  const iovec into{out.data(), out.size()};
  const ssize_t n = ::preadv2(descriptor_, &into, 1, static_cast<off_t>(offset), RWF_NOWAIT);
  cost = n >= 0 || errno == EAGAIN ? read_cost::waited : read_cost::unknown;
  if (n > 0) done = static_cast<std::size_t>(n);
  if (done == out.size()) {
    cost = read_cost::in_memory;
    return {};
  }
#else
  cost = read_cost::unknown;
#endif
  failure why = read(offset + done, out.subspan(done));
  if (why.code == make_error_code(errc::file_shrank)) {  // report the whole range
    why.offset = offset;
    why.expected += done;
    why.found += done;
  }
  return why;
}

failure file::read(std::uint64_t offset, std::span<const std::span<std::byte>> parts) const noexcept {
  constexpr std::size_t most = 64;
  std::array<iovec, most> into;
  const std::size_t count = std::min(parts.size(), most);
  for (std::size_t i = 0; i < count; ++i) into[i] = {parts[i].data(), parts[i].size()};
  const ssize_t n = ::preadv(descriptor_, into.data(), static_cast<int>(count), static_cast<off_t>(offset));
  auto done = n > 0 ? static_cast<std::size_t>(n) : 0;  // what is missing is read again, which finds the reason
  for (const std::span<std::byte> each : parts) {
    const std::size_t skipped = std::min(done, each.size());
    done -= skipped;
    if (skipped < each.size())
      if (failure why = read(offset + skipped, each.subspan(skipped))) return why;
    offset += each.size();
  }
  return {};
}

void file::will_need(std::uint64_t offset, std::uint64_t size) const noexcept {
#ifdef POSIX_FADV_WILLNEED
  (void)::posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(size), POSIX_FADV_WILLNEED);
#endif
}

bool file::is_sealed() const noexcept {
#ifdef F_GET_SEALS
  constexpr int needed = F_SEAL_WRITE | F_SEAL_SHRINK;
  const int seals = ::fcntl(descriptor_, F_GET_SEALS);
  return seals >= 0 && (seals & needed) == needed;
#else
  return false;
#endif
}

const char* network_file_system([[maybe_unused]] int descriptor) noexcept {
#ifdef __linux__
  struct statfs facts {};
  if (::fstatfs(descriptor, &facts) != 0) return nullptr;
  switch (static_cast<std::uint32_t>(facts.f_type)) {
    case 0x00006969: return "NFS";
    case 0x0bd00bd0: return "Lustre";
    case 0x65735546: return "FUSE";
    case 0xff534d42: return "CIFS";
    case 0xfe534d42: return "SMB2";
    case 0x0000517b: return "SMB";
    case 0x01021997: return "9P";
    case 0x00c36400: return "Ceph";
    case 0x47504653: return "GPFS";
    case 0x5346414f: return "AFS";
    case 0x19830326: return "BeeGFS";
    default: return nullptr;
  }
#else
  return nullptr;
#endif
}

symbolic_link read_link(const std::filesystem::path& path, failure& why) {
  std::array<char, PATH_MAX> text;
  struct stat facts {};
#ifdef O_PATH
  // Both are read from one descriptor, so they belong to the same link.
  const file link(open_with(path, O_PATH | O_NOFOLLOW, why));
  if (why) return {};
  const int folder = link.descriptor();
  const char* const name = "";
  const bool is_read = ::fstat(folder, &facts) == 0;
#else
  const int folder = AT_FDCWD;
  const char* const name = path.c_str();
  const bool is_read = ::lstat(name, &facts) == 0;
#endif
  const ssize_t size = is_read ? ::readlinkat(folder, name, text.data(), text.size()) : -1;
  if (size < 0) {
    why = system_failure();
    return {};
  }
  return {std::string(text.data(), static_cast<std::size_t>(size)), facts.st_uid};
}

}  // namespace tgmap::io
