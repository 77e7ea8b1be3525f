// SPDX-License-Identifier: Apache-2.0
// Reports of validate: what is printed about one file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tgmap/tools/validate.hpp>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"
#include "cli/print/progress.hpp"
#include "reports/validation_json.hpp"

namespace tgmap::cli {

/// Prints the report of one file as text: success on standard output, everything else on standard error.
class text_report final : public validation_visitor {
 public:
  text_report(const target& what, std::uint64_t size, bool offsets, session& run)
      : file_(what.file), offsets_(offsets), run_(run), out_(run.out), bar_(run, what.file, size) {}

  void progress(const validation_result& so_far) override { bar_.update(so_far.checked_bytes); }
  void unclaimed_bytes(const finding&) override;
  void message(const message_report&) override;
  void finish(const validation_result&);

  /// Writes the pending lines, before anything else is printed about this file.
  void flush();

 private:
  void add_line(severity, const std::string& line);

  std::string file_;
  bool offsets_;
  session& run_;
  output& out_;
  progress_bar bar_;
  std::string pending_;
  std::string not_checked_;  ///< the first note of that kind
};

/// Prints the report of one file as an element of the JSON array of all files.
class json_report final : public reports::validation_json {
 public:
  json_report(const std::string& file, bool is_first, bool with_offsets, session& run)
      : validation_json(file, is_first, with_offsets, run.out), file_(file), run_(run) {}

  void progress(const validation_result&) override;

 private:
  std::string file_;
  session& run_;
  std::optional<progress_bar> bar_;
};

}  // namespace tgmap::cli
