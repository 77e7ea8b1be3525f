// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string_view>
#include <tgmap/error.hpp>

#include "cli/exit_status.hpp"
#include "cli/output.hpp"

namespace tgmap::cli {

/// The next step after what must not happen.
inline constexpr std::string_view please_report = "this is a fault of tgmap's own: please report it with the file";

/// Tells people on standard error what went wrong and what to do next, and keeps the exit status.
///
/// One line each: `tgmap: FILE: TEXT; NEXT STEP`. Texts and names may come from a file: they are escaped here.
class reporter {
 public:
  explicit reporter(output& out) noexcept : out_(&out) {}

  void failed(std::string_view file, const failure&);
  void failed(std::string_view file, std::string_view text, std::string_view next_step);
  /// What a failure counts as from now on.
  void failures_are(exit_status what) noexcept { failure_ = what; }

  /// As failed, without a file and without changing the status.
  void say(std::string_view text);
  /// Something that may help; not said under --quiet.
  void hint(std::string_view text) {
    if (hints_) say(text);
  }
  void without_hints() noexcept { hints_ = false; }

  /// Gaps or a tail were found. Not said here: each verb shows them in its own way.
  void damaged() noexcept { status_ = both(status_, exit_status::damaged); }

  /// A file is not as it should be. Not said here, as above; the status is that of a failure.
  void unsound() noexcept { status_ = both(status_, exit_status::failed); }

  /// Runs what is to be done with one file; what it throws is reported, except what concerns the whole run:
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

  output* out_;
  exit_status status_ = exit_status::fine, failure_ = exit_status::failed;
  bool hints_ = true;
};

}  // namespace tgmap::cli
