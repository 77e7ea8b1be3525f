// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/tools/validate.hpp>

#include "core/text/text_sink.hpp"
#include "reports/json.hpp"

namespace tgmap::reports {

/// Returns true if the reference implementation states an offset with findings of this code. Ours always have one.
bool has_reference_offset(finding_code) noexcept;

/// Returns true if there are messages and all of them have matching hashes.
bool is_hash_verified(const validation_result&) noexcept;

/// A `validation_json` writes the report of one file as an element of the JSON array of all files, in the format of the
/// reference implementation. docs/schema/validate.json describes it. Notes are no issues and are left out.
/// Lifetime: borrows the sink.
class validation_json : public validation_visitor {
 public:
  /// Begins the element. `with_offsets` adds the offset of each finding in the archive.
  validation_json(const std::string& file, bool is_first, bool with_offsets, core::text_sink&);

  void unclaimed_bytes(const finding&) override;
  void message(const message_report&) override;

  /// Ends the element. `why` is set if the file could not be validated.
  void finish(const validation_result&, const failure& why);

 private:
  void put_item(const json&);
  void begin_reports();

  core::text_sink& out_;
  bool with_offsets_, has_items_ = false, in_reports_ = false;
};

}  // namespace tgmap::reports
