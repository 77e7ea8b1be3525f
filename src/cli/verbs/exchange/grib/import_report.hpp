// SPDX-License-Identifier: Apache-2.0
// Prints the results of an import of GRIB, field by field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tgmap/bridge/grib_import.hpp>
#include <vector>

#include "cli/app/session.hpp"
#include "cli/print/progress.hpp"

namespace tgmap::cli {

/// An `import_report` prints lines of JSON and errors of an import, and counts what was done.
/// Lifetime: borrows its arguments.
class import_report final : public bridge::grib_import_observer {
 public:
  /// With `json`, prints a line for each field. `merged` are the keys of --merge.
  import_report(const std::vector<std::string>& inputs, const std::string& to, const std::vector<std::string>& merged,
                bool json, progress_bar& bar, session& run);

  void field(const bridge::grib_field_report&) override;
  void skipped(std::size_t input, std::uint64_t offset, std::uint64_t size) override;
  void input_failed(std::size_t input, const failure&) override;
  void progress(std::uint64_t bytes) override { bar_.update(bytes); }

  /// Reports what concerns all fields. Inputs without a field are damage.
  void finish();

  /// Returns true if a field has other values than ecCodes gives, so that nothing may be written.
  bool has_inexact() const noexcept { return inexact_ != 0; }

  /// Returns "3 carried, 2 encoded again, 1 decoded".
  std::string methods_text() const;

 private:
  struct input_counts {
    std::uint64_t fields = 0, failed = 0, skipped = 0;
    bool is_unreadable = false;
  };

  void report_failed(const bridge::grib_field_report&);
  void write_json(const bridge::grib_field_report&);

  const std::vector<std::string>& inputs_;
  const std::string& to_;
  bool json_;
  progress_bar& bar_;
  session& run_;
  std::vector<input_counts> counts_;
  std::vector<std::string> unseen_;  // keys of --merge that no field has
  std::uint64_t carried_ = 0, reencoded_ = 0, decoded_ = 0, originals_ = 0;
  std::uint64_t failed_ = 0, inexact_ = 0;
};

}  // namespace tgmap::cli
