// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files that appear under their name as a whole. For the library and its components: programs use file_sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>
#include <utility>

namespace tgmap {
namespace io {
class unshared_descriptor;
}
inline namespace v0 {
namespace detail {

/// A `file_identity` identifies a file whatever its name is. Inode numbers of removed files are used again; the time
/// of creation distinguishes such files if the file system records it.
struct file_identity {
  bool operator==(const file_identity&) const = default;

  std::uint64_t device = 0, number = 0;
  std::int64_t created_at = 0;  ///< in nanoseconds; 0 if unknown
};

/// A `file_status` is what `stat` returns of a file, and when the file was created.
struct file_status {
  file_identity identity{};
  std::uint32_t mode = 0;  ///< kind and permissions, as `st_mode`
  std::uint32_t user = 0, group = 0;
  std::uint64_t size = 0, links = 0;
  std::int64_t changed_at = 0;  ///< in nanoseconds
  bool is_mounted = false;      ///< a file system, or a file, is mounted here; false if it is not known
};

/// An `output_folder` is an open folder that holds outputs. All calls for an output or its temporary name use this
/// descriptor, so nothing is read, written or removed in another folder that gets the same path later.
class TGMAP_API output_folder {
 public:
  /// Opens `path` relative to `from`, or to the working folder if `from` is null. An empty path is that folder itself.
  /// Errors: io.
  output_folder(const std::filesystem::path& path, const output_folder* from, failure&);
  ~output_folder();
  output_folder(const output_folder&) = delete;
  output_folder& operator=(const output_folder&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  const file_identity& identity() const noexcept { return identity_; }

  /// Reads the status of the file with that name, without following links. Returns false and sets errno on failure.
  bool read_status(const std::string& name, file_status& into) const noexcept;

  /// Returns true if everybody may create files in this folder, as in /tmp, and a user other than its owner and this
  /// process created `file`. Linux only protects such links, pipes and files if fs.protected_* is set.
  bool is_foreign(const file_status& file) const noexcept;

  /// Returns true if the folder is sticky, so that this process may not replace a file in it that is not its own.
  bool forbids_replacing(const file_status& file) const noexcept;

  /// Returns whether files can be created in it. Errors: io.
  failure check_writable() const noexcept;

  /// Flushes the folder's names to the disk if it may be listed. Errors: io.
  failure sync() const noexcept;

 private:
  int descriptor_;
  file_identity identity_{};
  std::uint32_t owner_ = 0;
  bool is_sticky_ = false;  ///< users may remove and replace only their own files
  bool is_shared_ = false;  ///< and everybody may add names
};

/// An `output_location` is the file, device, pipe or descriptor that the name of an output leads to.
struct TGMAP_API output_location {
  std::filesystem::path path{};                   ///< for messages; links are resolved
  std::shared_ptr<const output_folder> folder{};  ///< holds the file; null for an inherited descriptor
  std::string name{};                             ///< in `folder`; never a link, even if the file does not exist yet
  int inherited_descriptor = -1;                  ///< such as standard output; -1 otherwise
  bool exists = false;
  bool regular = true;   ///< false for devices and pipes, which are written in place
  file_status status{};  ///< of an existing file

  bool in_place() const noexcept { return inherited_descriptor >= 0 || !regular; }

  /// Follows all links of a path. "/dev/stdout", "/dev/fd/3" and their like are descriptors. After a failure `path` is
  /// the file or link at fault.
  /// Errors: io (also for a folder, a loop of links, a file that may not be written); foreign_file (another user put a
  /// link or the file into a folder that everybody may write to). Throws std::bad_alloc, as everything below.
  static output_location resolve(const std::filesystem::path&, failure&);

  /// Returns the place of a name in its folder, and follows no link there: a link is replaced by the file.
  static output_location of_entry(const std::filesystem::path&, failure&);

  /// Returns the descriptor if the path is that of an inherited one, or a link to such.
  static std::optional<int> descriptor_of(const std::filesystem::path&);
};

/// Names that a process removes when a signal ends it; see output_file.
class temporary_file;

/// Removes the temporary files of outputs when SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM or SIGXCPU ends the process,
/// which then dies of that signal as usual. Signals that are ignored or handled stay so. For programs.
TGMAP_API void remove_temporary_files_at_signals();

/// An `output_file` appears under its name as a whole or not at all, or grows under a name that is new.
///
/// Until publish() the file has no name. It has a temporary one, `.tgmap-*`, while it is suspended, and where the
/// system has no nameless files. Both names are in the folder that was opened first, and a different file that takes
/// the temporary name is never written. Devices, pipes and inherited descriptors are written in place. A child made by
/// `fork` closes its descriptor and removes nothing; every call there is call_out_of_order.
///
/// Errors of all functions: io; output_changed (another file took the name of the output, or its temporary one).
class TGMAP_API output_file {
 public:
  enum class replacement : std::uint8_t { allowed, refused };
  enum class appearance : std::uint8_t {
    complete,  ///< under its name with publish()
    at_once,   ///< at once, unless a file is replaced
  };

  /// Creates the file, or opens what is written in place. A file that replaces another one gets its owner, group,
  /// permissions and access list, as far as this process may. `permissions`: those of the file instead; the umask
  /// limits them. Errors: also those of the folder, which `argument` then names.
  output_file(output_location, appearance, failure&, std::optional<unsigned> permissions = std::nullopt);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  [[nodiscard]] failure write(std::span<const std::byte>);

  /// Returns a descriptor for writing at the end of the file. It is readable, too, until the first `suspend`, unless
  /// the file is written in place.
  int descriptor(failure&);

  /// Changes bytes that were written. Precondition: !in_place().
  [[nodiscard]] failure overwrite(std::uint64_t at, std::span<const std::byte>);

  bool in_place() const noexcept { return location_.in_place(); }
  bool is_hidden() const noexcept;  ///< has not its name yet
  const std::filesystem::path& path() const noexcept { return location_.path; }
  const output_location& location() const noexcept { return location_; }

  /// Returns null for an inherited descriptor.
  const std::shared_ptr<const output_folder>& folder() const noexcept { return location_.folder; }

  /// Chooses another place in the same file system. Precondition: is_hidden().
  void move_to(output_location to) { location_ = std::move(to); }

  /// Closes the descriptor until it is needed again, so that many files may be unfinished at once. Does nothing to what
  /// is written in place, or grows under its name.
  [[nodiscard]] failure suspend();

  /// Asks the system to start flushing the file to the disk. Does not wait, and ignores errors.
  void start_sync() noexcept;
  [[nodiscard]] failure sync();              ///< flushes the file to the disk
  [[nodiscard]] failure sync_file_system();  ///< flushes all files of its file system
  std::uint64_t file_system() const noexcept { return status_.identity.device; }

  /// Gives the file its name and replaces the file that has it. With `refused`, fails with EEXIST if there is one,
  /// and may be called again. After success no other function may be called.
  [[nodiscard]] failure publish(replacement);

 private:
  failure check_own() const noexcept;
  failure open_in_place();
  failure create();
  void take_permissions();
  failure create_named(const std::string& name, unsigned permissions);
  failure create_hidden(unsigned permissions);
  failure add_temporary_name();
  failure copy_to_named_file();
  failure check_is_own(int descriptor) const;
  bool is_same_on_network(int in_file_system, const file_status&) const noexcept;
  failure check_temporary_name();
  bool link_as(const std::string& name) const;
  failure rename_and_replace();
  failure rename_without_replacing();

  output_location location_;
  bool is_named_ = false;  ///< grows under its name
  std::uint32_t forks_;
  std::unique_ptr<temporary_file> temporary_{};  ///< null: it has no temporary name
  std::optional<unsigned> permissions_{};        ///< those that were asked for
  std::unique_ptr<io::unshared_descriptor> descriptor_;
  file_status status_{};  ///< of the new file when it was created or suspended, unless it is written in place
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
