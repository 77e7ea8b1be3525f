// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <tgmap/error.hpp>

#include "cli/app/output.hpp"

namespace tgmap::edit {
struct output_fault;
}

namespace tgmap::cli {

class cli_error;

/// The exit status of the command.
enum class exit_status : std::uint8_t {
  fine = 0,
  failed = 1,        ///< something could not be done
  usage = 2,         ///< a mistake in the command line; nothing was done
  damaged = 3,       ///< gaps or an incomplete tail were found, or with --verify or --take-damaged a wrong hash
  incomparable = 4,  ///< `diff` could not compare something (1 means that something differs)
};

/// Returns the worse of two statuses: incomparable, then failed, then damaged, then fine.
constexpr exit_status combine(exit_status a, exit_status b) noexcept {
  if (a == exit_status::incomparable || b == exit_status::incomparable) return exit_status::incomparable;
  if (a == exit_status::failed || b == exit_status::failed) return exit_status::failed;
  return a == exit_status::damaged || b == exit_status::damaged ? exit_status::damaged : exit_status::fine;
}

/// Returns the address of the message or object that a failure names, such as "f.tgm:3:0", or the file.
std::string address_of(std::string_view file, const failure&);

/// Returns the text of a failure without the numbers of message and object, for a line that begins with their address.
std::string text_without_address(failure);

/// The next step after an error that is a bug of tgmap.
inline constexpr std::string_view please_report = "this is a bug in tgmap: please report it with the file";

/// Prints on standard error what went wrong and what to do next, and keeps the exit status.
///
/// Each error is one line: `tgmap: FILE: TEXT; NEXT STEP`. Texts and names may come from a file and are escaped here.
class reporter {
 public:
  explicit reporter(output& out) noexcept : out_(&out) {}

  /// Prints the address of the message or object that the failure names, such as `f.tgm:3:0`. The status is `damaged`
  /// for a hash that does not match.
  void failed(std::string_view file, const failure&);
  /// The same if the caller knows the address.
  void failed_at(std::string_view address, std::string_view file, const failure&);
  void failed(std::string_view file, std::string_view text, std::string_view next_step);
  /// `file` is printed if the error names none.
  void failed(std::string_view file, const cli_error&);
  /// Reports a problem of the stored bytes, which sets the exit status to `damaged`.
  void damaged(std::string_view address, std::string_view text, std::string_view next_step);
  /// Sets the exit status that a failure causes from now on.
  void set_failure_status(exit_status what) noexcept { failure_ = what; }

  /// Prints a line without changing the status.
  void say(std::string_view text);
  /// Prints a line that may help; nothing under --quiet.
  void hint(std::string_view text) {
    if (hints_) say(text);
  }
  void disable_hints() noexcept { hints_ = false; }
  bool has_hints() const noexcept { return hints_; }

  /// Records that gaps or an incomplete tail were found. Prints nothing: each verb shows damage in its own way.
  void mark_damaged() noexcept { status_ = combine(status_, exit_status::damaged); }

  /// Records a failure. Prints nothing, for the same reason.
  void mark_failed() noexcept { status_ = combine(status_, exit_status::failed); }

  /// Runs `work`, which concerns one file, and reports what it throws. Errors that end the whole run pass through:
  /// usage_error, output_error and closed_pipe.
  template <class F>
  void guard(std::string_view file, F&& work) {
    try {
      work();
    } catch (const std::exception&) {
      failed_with_current_exception(file);
    }
  }

  exit_status status() const noexcept { return status_; }

 private:
  void failed_with_current_exception(std::string_view file);
  void failed_with_words(std::string_view file, const edit::output_fault&);

  output* out_;
  exit_status status_ = exit_status::fine, failure_ = exit_status::failed;
  bool hints_ = true;
};

}  // namespace tgmap::cli
