// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cli/input/copy_input.hpp"
#include "cli/output/output_options.hpp"
#include "edit/output/message_outputs.hpp"

namespace tgmap::cli {

/// A `copy_outputs` object has the files of a verb that copies messages, and the archives that it copies from.
class copy_outputs {
 public:
  copy_outputs(const output_options&, session&, object_lookup = object_lookup::index);

  /// Opens the archive of a target, for for_each_selected. `in_order`: a target is complete when the next one is
  /// opened.
  archive open(const target&, bool in_order);

  /// Returns the archive of a target that was opened.
  const copy_source& source(const target& of) const { return sources_.at(&of)->source(); }
  edit::message_outputs& messages() noexcept { return messages_; }

  /// Appends a copy of a message of a target that was opened. Reports and skips an incomplete one. Errors: as
  /// edit::message_outputs.
  void add(const target&, const message&, const std::string& file, bool make_folders);

  bool can_continue() const noexcept { return !refused_ && run_.report.status() != exit_status::failed; }

  /// Stops the outputs because of a reported problem: nothing will be written.
  void refuse() noexcept { refused_ = true; }

  /// Publishes the files. After a failure, or without any message, no file is written, the reason is reported, and the
  /// result is false. `name` is the output in messages; `wanted` is "message" or "object".
  bool commit(const std::string& name, std::string_view wanted = "message");

  /// Prints the published files, as text or as JSON, on standard output unless that is one of them.
  void report(bool as_json) const;

 private:
  const bool dry_run_;
  session& run_;
  const object_lookup lookup_;
  std::map<const target*, std::unique_ptr<copy_input>> sources_{};
  edit::output_set outputs_;
  edit::message_outputs messages_{outputs_};
  bool refused_ = false;
};

}  // namespace tgmap::cli
