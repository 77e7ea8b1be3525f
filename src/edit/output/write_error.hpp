// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <tgmap/detail/output_file.hpp>
#include <utility>
#include <vector>

namespace tgmap::edit {

using detail::output_file;
using detail::output_folder;
using detail::output_location;

/// A value that two messages with one file name do not share.
struct name_difference {
  std::string part{};                         ///< of the template: "[mars.step]"; empty for the name of the archive
  std::optional<std::string> one{}, other{};  ///< nothing: the message does not have the key
};

/// An `output_fault` says why a file cannot be written. A failure has no room for its name.
struct output_fault {
  enum class kind : std::uint8_t {
    failed,       ///< `why` says all
    folder_name,  ///< the name is that of a folder
    no_folder,    ///< the folder `other` does not exist
    exists,       ///< the file must not be replaced
    declined,     ///< `file_output_options::may_replace` returned false
    same_file,    ///< the output `other` is the same file
    same_name,    ///< messages of different values have this name
    no_index,     ///< it is written in place, where no index can be beside it
    append,       ///< no message can be added to the archive, because of `why`
    index,        ///< the archive is complete, but its index, which `name` is, was not written
  };
  kind what = kind::failed;
  failure why{};
  std::string name{};          ///< of the file, as it was given
  std::string other{};         ///< see `kind`
  output_location where{};     ///< to which the name leads, if it was followed
  bool makes_folders = false;  ///< as in output_hooks
  std::vector<name_difference> differences{};
  std::vector<std::string> complete{};  ///< outputs of the same set that have their names already
};

/// A `write_error` is thrown if a file cannot be written. It is no tgmap::error, which concerns what is read.
class write_error : public std::system_error {
 public:
  explicit write_error(output_fault of)
      : std::system_error(of.why.code), fault_(std::make_shared<const output_fault>(std::move(of))) {}
  const output_fault& fault() const noexcept { return *fault_; }

 private:
  std::shared_ptr<const output_fault> fault_;  // copying an exception must not throw
};

/// Returns the failure of an operation of the system.
inline failure system_failure(int number) noexcept { return {.code = {number, std::system_category()}}; }

}  // namespace tgmap::edit
