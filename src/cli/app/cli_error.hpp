// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tgmap/error.hpp>
#include <utility>

namespace tgmap::cli {

/// A mistake in the command line: nothing is done, and the exit status is 2. `next_step` may be empty if the text
/// itself ends with the next step or a question; otherwise the command adds a reference to the verb's help.
class usage_error : public std::runtime_error {
 public:
  explicit usage_error(const std::string& text, std::string next_step = {})
      : std::runtime_error(text), next_step_(std::move(next_step)) {}
  const std::string& next_step() const noexcept { return next_step_; }

 private:
  std::string next_step_;
};

/// Something could not be done with a file: the problem in the user's words, and what to do next.
class cli_error : public std::runtime_error {
 public:
  cli_error(const std::string& text, std::string next_step, std::string file = {})
      : std::runtime_error(text), next_step_(std::move(next_step)), file_(std::move(file)) {}
  const std::string& next_step() const noexcept { return next_step_; }
  const std::string& file() const noexcept { return file_; }  ///< empty: the file that the verb works on

  /// Sets the number of the object that the problem concerns, which completes the address in the report.
  cli_error& in_object(std::size_t number) noexcept {
    object_ = number;
    return *this;
  }
  const std::optional<std::size_t>& object() const noexcept { return object_; }

  /// Marks it as a problem of the stored bytes, for which the exit status is `damaged`.
  cli_error& as_damage() noexcept {
    is_damage_ = true;
    return *this;
  }
  bool is_damage() const noexcept { return is_damage_; }

 private:
  std::string next_step_, file_;
  std::optional<std::size_t> object_{};
  bool is_damage_ = false;
};

/// The operating system refused an operation on a file other than the current one, such as the output of `extract`.
class file_error : public std::system_error {
 public:
  file_error(int number, std::string file)
      : std::system_error(number, std::system_category()), file_(std::move(file)) {}
  const std::string& file() const noexcept { return file_; }

 private:
  std::string file_;
};

/// Returns what the user can do about a failure with `file`: one clause without a full stop.
std::string next_step(const failure&, std::string_view file);

/// Returns what the user can do when elements could not be stored.
std::string next_step_for_storing(const failure&, std::string_view file);

/// Returns the error for metadata that cannot become the label of a ZIO message. Returns nothing for other failures.
std::optional<cli_error> label_error(const failure&);

}  // namespace tgmap::cli
