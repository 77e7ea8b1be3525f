// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tgmap/tools/rewrite.hpp>
#include <utility>

#include "edit/output/write_error.hpp"

namespace tgmap::edit {

/// Options of an output_set that few callers need.
struct output_hooks {
  bool makes_folders = false;  ///< a name that ends with "/" is a folder, in which the caller chooses names

  /// Called with each output before anything is written to it. May throw. Default: none.
  std::function<void(const std::string& name, int descriptor)> opened{};
};

/// An `output_set` holds all files that one run writes. Each file appears as a whole or not at all. No file appears
/// before all are complete and, with `file_output_options::sync`, on the disk; an earlier failure changes nothing.
/// Errors: throws write_error, and what the functions of the options throw.
class output_set {
 public:
  /// One file of the set.
  class output {
   public:
    const std::string& name() const noexcept { return name_; }  ///< the first requested name
    std::uint64_t bytes_written() const noexcept { return bytes_written_; }

    void write(std::span<const std::byte>);

    /// Returns false for pipes and devices.
    bool can_overwrite() const noexcept { return !file_ || !file_->in_place(); }
    void overwrite(std::uint64_t at, std::span<const std::byte>);

    /// Returns the descriptor for callers that write to it themselves and then call `add_written`; -1 in a dry run.
    int descriptor();
    void add_written(std::uint64_t bytes) noexcept { bytes_written_ += bytes; }

   private:
    friend class output_set;
    output(output_set& set, std::string name) : set_(&set), name_(std::move(name)) {}
    void make_current();
    void check(const failure&) const;

    output_set* set_;
    std::string name_;
    std::unique_ptr<output_file> file_{};  ///< null in a dry run
    std::uint64_t bytes_written_ = 0;
    std::list<output*>::iterator position_{};  ///< in `open_`, if is_open_
    bool is_open_ = false;
  };

  explicit output_set(file_output_options how, output_hooks hooks = {})
      : how_(std::move(how)), hooks_(std::move(hooks)) {}
  output_set(const output_set&) = delete;
  output_set& operator=(const output_set&) = delete;

  /// Returns the output with that name, created on first use. Two names of one file give the same output.
  /// `make_folders` also creates missing folders of its path. In a dry run, throws as far as errors are predictable.
  output& open(const std::string& name, bool make_folders = false);

  /// Returns the output like `open`. Also throws if another name of the same file was opened before, because outputs
  /// meant for two files must not end up in one.
  output& open_distinct(const std::string& name, bool make_folders = false);

  /// Throws what `open` throws for a file that must not be replaced. Creates nothing.
  void check_overwrite(const std::string& name, bool make_folders = false);

  /// Removes an output from the set; it will not be written.
  void remove(output&);

  /// Returns the number of bytes that pipes and devices got, which stay if the set is not committed.
  std::uint64_t bytes_in_place() const noexcept;

  /// Gives all files their names. Writes their indexes if that was asked for, and else removes those of files that were
  /// replaced. Does nothing in a dry run.
  void commit();

 private:
  output_location locate(const std::string& name) const;
  output_location resolve(const std::string& name);
  void check_overwrite(const output_location&, const std::string& name);
  void sync();
  void remove_index_beside(const std::string& name) const;

  /// The folder and the name in it; for an inherited descriptor null and its number.
  using file_key = std::pair<const output_folder*, std::string>;

  const file_output_options how_;
  const output_hooks hooks_;
  std::set<std::string> allowed_{};                                        ///< names that may be replaced
  std::map<std::string, std::shared_ptr<output>, std::less<>> by_name_{};  ///< by all requested names
  std::map<file_key, std::shared_ptr<output>> by_file_{};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const output_folder>>
      folders_{};                             ///< by device and inode number
  std::list<std::shared_ptr<output>> all_{};  ///< in order of creation
  std::list<output*> open_{};                 ///< the last used output first
};

}  // namespace tgmap::edit
