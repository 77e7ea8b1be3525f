// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cli/outputs/output_file.hpp"
#include "cli/outputs/output_options.hpp"

namespace tgmap::cli {

/// The files that one run of a verb writes, any number of them: each appears whole or not at all, and none before all
/// are written and, unless --no-sync is given, on the disk. What goes wrong before leaves everything as it was.
class output_set {
 public:
  /// One file of it.
  class output {
   public:
    const std::string& name() const noexcept { return name_; }  ///< as it was first asked for
    std::uint64_t bytes() const noexcept { return bytes_; }     ///< written

    void write(std::span<const std::byte>);

    /// Whether bytes that were written can be changed: not those of a pipe or of a device.
    bool can_patch() const noexcept { return !file_ || !file_->in_place(); }
    void patch(std::uint64_t at, std::span<const std::byte>);

    /// For who writes to the descriptor itself; in a dry run there is none: -1.
    int descriptor();
    void wrote(std::uint64_t bytes) noexcept { bytes_ += bytes; }

   private:
    friend class output_set;
    output(output_set& set, std::string name) : set_(&set), name_(std::move(name)) {}
    void use();

    output_set* set_;
    std::string name_;
    std::unique_ptr<output_file> file_{};  ///< none: this is a dry run
    std::uint64_t bytes_ = 0;
    std::list<output*>::iterator place_{};  ///< among those that are open
    bool open_ = false;
  };

  output_set(const output_options&, session&);
  output_set(const output_set&) = delete;
  output_set& operator=(const output_set&) = delete;

  /// The output of that name, made when it is first asked for; two names of one file are one output. `make_folders`:
  /// those that are missing on its way, too. Throws file_error, in a dry run as far as can be known; cli_error where it
  /// must not be replaced, and as output_place::find.
  output& at(const std::string& name, bool make_folders = false);

  /// The same where another name of the file is a mistake: what is meant for two files never ends up in one. Throws
  /// cli_error then.
  output& distinct(const std::string& name, bool make_folders = false);

  /// Throws what `at` would throw for a file that must not be replaced, before work is done for it.
  void allow(const std::string& name);

  /// Forgets an output: it is not written, whatever the others are.
  void drop(output&);

  /// All of them are written: gives them their names. Throws as output_file; cli_error where others have theirs by
  /// then.
  void commit();

 private:
  output_place find(const std::string& name);
  void allow(const output_place&, const std::string& name);
  void synchronise();

  /// A name in a folder of this set; of what is inherited, the number of its descriptor and no folder.
  using file_key = std::pair<const output_folder*, std::string>;

  const output_options options_;
  session& run_;
  bool ask_;
  std::set<std::string> allowed_{};
  std::map<std::string, std::shared_ptr<output>, std::less<>> by_name_{};  ///< as asked for
  std::map<file_key, std::shared_ptr<output>> by_file_{};                  ///< whatever it was asked for as
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const output_folder>>
      folders_{};                             ///< by device and number
  std::list<std::shared_ptr<output>> all_{};  ///< in the order asked for
  std::list<output*> open_{};                 ///< the one used last in front
};

}  // namespace tgmap::cli
