// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <tgmap/detail/output_file.hpp>
#include <utility>
#include <vector>

#include "io/file.hpp"
#include "io/file_status.hpp"
#include "io/output/copy_permissions.hpp"
#include "io/output/temporary_file.hpp"
#include "io/unshared_descriptor.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

using io::system_failure;

constexpr unsigned default_permissions = 0666;  // less the umask

std::string path_of_descriptor(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// Creates a file without a name. Returns -1 if the system has no such files, or cannot name them later.
int create_nameless([[maybe_unused]] const output_folder& in, [[maybe_unused]] unsigned permissions) {
#ifdef O_TMPFILE
  const int out = ::openat(in.descriptor(), ".", O_TMPFILE | O_RDWR | O_CLOEXEC, permissions);
  if (out < 0 || ::access(path_of_descriptor(out).c_str(), F_OK) == 0) return out;
  ::close(out);
#endif
  return -1;
}

failure name_lost(std::uint64_t expected, std::uint64_t found) noexcept {
  return {.code = errc::output_changed, .expected = expected, .found = found};
}

/// Writes all bytes at the end of a file.
failure write_all(int descriptor, std::span<const std::byte> data) noexcept {
  while (!data.empty()) {
    const ::ssize_t n = ::write(descriptor, data.data(), data.size());
    if (n < 0 && errno != EINTR) return system_failure();
    if (n > 0) data = data.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

/// Returns why a file could not be created, and says if it is because of the folder.
failure of_creation() noexcept {
  failure why = system_failure();
  if (errno == EACCES || errno == EPERM || errno == EROFS) why.argument = "the folder of the file";
  return why;
}

}  // namespace

output_file::output_file(output_location location, appearance when, failure& why, std::optional<unsigned> permissions)
    : location_(std::move(location)),
      forks_(io::forks()),
      permissions_(permissions),
      descriptor_(std::make_unique<io::unshared_descriptor>()) {
  is_named_ = !in_place() && when == appearance::at_once && !location_.exists;
  if (in_place())
    why = open_in_place();
  else if (is_named_)
    why = create_named(location_.name, permissions_.value_or(default_permissions));
  else
    why = create();
}

output_file::~output_file() = default;

bool output_file::is_hidden() const noexcept { return !in_place() && !is_named_; }

/// A child made by `fork` must not touch the file of its parent.
failure output_file::check_own() const noexcept {
  return forks_ == io::forks() ? failure() : failure{.code = errc::call_out_of_order};
}

failure output_file::open_in_place() {
  const bool is_inherited = location_.inherited_descriptor >= 0;
  descriptor_->reset(is_inherited ? ::fcntl(location_.inherited_descriptor, F_DUPFD_CLOEXEC, 0)
                                  : ::openat(location_.folder->descriptor(), location_.name.c_str(),
                                             O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
  if (!*descriptor_ || !io::read_status(descriptor_->get(), status_)) return system_failure();
  if (is_inherited || status_.identity == location_.status.identity) return {};
  // Numbers of files may change on a network.
  const bool is_remote = io::network_file_system(descriptor_->get()) != nullptr;
  if (is_remote && (status_.mode & S_IFMT) == (location_.status.mode & S_IFMT)) return {};
  return name_lost(location_.status.identity.number, status_.identity.number);
}

failure output_file::create_named(const std::string& name, unsigned permissions) {
  descriptor_->reset(::openat(location_.folder->descriptor(), name.c_str(),
                              O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions));
  if (!*descriptor_) return of_creation();
  if (io::read_status(descriptor_->get(), status_)) return {};
  const failure why = system_failure();
  if (is_named_) ::unlinkat(location_.folder->descriptor(), name.c_str(), 0);
  return why;
}

/// Takes a temporary name if there are no nameless files, for whatever reason: if that fails as well, its error counts.
failure output_file::create_hidden(unsigned permissions) {
  descriptor_->reset(create_nameless(*location_.folder, permissions));
  if (*descriptor_) return io::read_status(descriptor_->get(), status_) ? failure() : system_failure();
  failure why;
  temporary_ = std::make_unique<temporary_file>(location_.folder, why);
  if (!why) why = create_named(temporary_->name(), permissions);
  if (why.code == std::errc::file_exists) temporary_->release();  // it belongs to another process
  return why;
}

failure output_file::create() {
  failure why = create_hidden(permissions_.value_or(default_permissions));
  if (!why) take_permissions();
  return why;
}

/// Gives a hidden file the permissions of the file that it replaces, unless others were asked for.
void output_file::take_permissions() {
  if (location_.exists && !permissions_) copy_permissions(descriptor_->get(), location_);
}

failure output_file::write(std::span<const std::byte> data) {
  failure why;
  const int to = descriptor(why);
  return why ? why : write_all(to, data);
}

int output_file::descriptor(failure& why) {
  why = check_own();
  if (why) return -1;
  if (*descriptor_) return descriptor_->get();
  // O_NONBLOCK: another user may have replaced the file by a pipe.
  io::file opened(::openat(location_.folder->descriptor(), temporary_->name().c_str(),
                           O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  why = opened ? check_is_own(opened.descriptor()) : system_failure();
  if (!opened)
    if (const failure lost = check_temporary_name()) why = lost;
  if (why) return -1;
  descriptor_->reset(opened.release());
  // copy_file_range does not support O_APPEND.
  if (::lseek(descriptor_->get(), 0, SEEK_END) < 0) why = system_failure();
  return descriptor_->get();
}

failure output_file::overwrite(std::uint64_t at, std::span<const std::byte> data) {
  failure why;
  const int to = descriptor(why);
  while (!why && !data.empty()) {
    const ::ssize_t n = ::pwrite(to, data.data(), data.size(), static_cast<::off_t>(at));
    if (n < 0 && errno != EINTR) return system_failure();
    if (n <= 0) continue;
    data = data.subspan(static_cast<std::size_t>(n));
    at += static_cast<std::uint64_t>(n);
  }
  return why;
}

failure output_file::suspend() {
  if (!*descriptor_ || !is_hidden()) return {};
  if (!temporary_)
    if (failure why = add_temporary_name()) return why;
  if (!io::read_status(descriptor_->get(), status_)) return system_failure();
  errno = descriptor_->close();
  return errno == 0 ? failure() : system_failure();
}

void output_file::start_sync() noexcept {
#ifdef SYNC_FILE_RANGE_WRITE
  if (*descriptor_ && !in_place())
    static_cast<void>(::sync_file_range(descriptor_->get(), 0, 0, SYNC_FILE_RANGE_WRITE));
#endif
}

failure output_file::sync() {
  if (in_place()) return {};
  failure why;
  const int file = descriptor(why);
  while (!why && ::fsync(file) != 0)
    if (errno != EINTR) why = system_failure();
  return why;
}

failure output_file::sync_file_system() {
#ifdef __linux__
  failure why;
  const int file = descriptor(why);
  return why || ::syncfs(file) == 0 ? why : system_failure();
#else
  return sync();
#endif
}

failure output_file::publish(replacement existing) {
  if (failure why = check_own()) return why;
  if (is_hidden() && !temporary_) {
    // Some file systems tell only when a descriptor is closed that bytes are lost.
    io::unshared_descriptor copy(::fcntl(descriptor_->get(), F_DUPFD_CLOEXEC, 0));
    errno = copy.close();
    if (errno != 0) return system_failure();
    const bool may_link = existing == replacement::refused || !location_.exists;
    const bool is_linked = may_link && link_as(location_.name);
    if (may_link && !is_linked && errno == EEXIST && existing == replacement::refused) return system_failure();
    if (!is_linked)
      if (failure why = add_temporary_name()) return why;
  }
  if (temporary_)
    if (failure why = check_temporary_name()) return why;
  errno = descriptor_->close();
  if (errno != 0) return system_failure();
  if (!temporary_) return {};
  failure why = existing == replacement::allowed ? rename_and_replace() : rename_without_replacing();
  if (!why) temporary_->release();
  return why;
}

bool output_file::link_as(const std::string& name) const {
  return ::linkat(AT_FDCWD, path_of_descriptor(descriptor_->get()).c_str(), location_.folder->descriptor(),
                  name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

failure output_file::add_temporary_name() {
  failure why;
  temporary_ = std::make_unique<temporary_file>(location_.folder, why);
  if (why || link_as(temporary_->name())) return why;
  const bool is_taken = errno == EEXIST;
  if (is_taken) why = system_failure();
  temporary_->release();  // it belongs to another process, or there is none
  temporary_.reset();
  return is_taken ? why : copy_to_named_file();
}

/// Copies a nameless file that gets no name, as where /proc is hidden after it was created.
failure output_file::copy_to_named_file() {
  const io::file from(::fcntl(descriptor_->get(), F_DUPFD_CLOEXEC, 0));
  file_status before;
  if (!from || !io::read_status(from.descriptor(), before)) return system_failure();
  failure why;
  temporary_ = std::make_unique<temporary_file>(location_.folder, why);
  if (!why) why = create_named(temporary_->name(), before.mode & 0777);
  if (why.code == std::errc::file_exists) temporary_->release();
  if (!why) take_permissions();
  std::vector<std::byte> block(std::min<std::uint64_t>(before.size, std::size_t{1} << 20));
  for (std::uint64_t at = 0; !why && at < before.size;) {
    const auto part = std::span(block).first(std::min<std::uint64_t>(before.size - at, block.size()));
    why = from.read(at, part);
    if (!why) why = write_all(descriptor_->get(), part);
    at += part.size();
  }
  return why;
}

/// Checks that a descriptor that was opened by the temporary name is that of this file.
failure output_file::check_is_own(int descriptor) const {
  file_status found;
  if (!io::read_status(descriptor, found)) return system_failure();
  if (found.identity == status_.identity || is_same_on_network(descriptor, found)) return {};
  return name_lost(status_.identity.number, found.identity.number);
}

/// Returns whether a file is as this one was when it was suspended, on a network, where numbers of files may change.
bool output_file::is_same_on_network(int in_file_system, const file_status& found) const noexcept {
  return io::network_file_system(in_file_system) != nullptr && S_ISREG(found.mode) && found.size == status_.size &&
         found.changed_at == status_.changed_at;
}

/// Checks that the temporary name is still that of this file.
failure output_file::check_temporary_name() {
  file_status found;
  const output_folder& folder = temporary_->folder();
  if (!folder.read_status(temporary_->name(), found)) return name_lost(status_.identity.number, 0);
  if (found.identity == status_.identity) return {};
  if (*descriptor_) {
    file_status own;
    if (io::read_status(descriptor_->get(), own) &&
        io::is_named(descriptor_->get(), own, folder.descriptor(), temporary_->name().c_str(), found))
      return {};
  } else if (is_same_on_network(folder.descriptor(), found)) {
    return {};
  }
  return name_lost(status_.identity.number, found.identity.number);
}

failure output_file::rename_and_replace() {
  const int from = temporary_->folder().descriptor(), to = location_.folder->descriptor();
  return ::renameat(from, temporary_->name().c_str(), to, location_.name.c_str()) == 0 ? failure() : system_failure();
}

failure output_file::rename_without_replacing() {
  const int from_folder = temporary_->folder().descriptor(), to_folder = location_.folder->descriptor();
  const char *const from = temporary_->name().c_str(), *const to = location_.name.c_str();
#ifdef RENAME_NOREPLACE
  if (::renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) return system_failure();
    // Some file systems lack RENAME_NOREPLACE.
#endif
  const bool is_done = ::linkat(from_folder, from, to_folder, to, 0) == 0 && ::unlinkat(from_folder, from, 0) == 0;
  return is_done ? failure() : system_failure();
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
