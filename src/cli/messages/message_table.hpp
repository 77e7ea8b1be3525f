// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/gap.hpp>
#include <tgmap/message.hpp>
#include <vector>

#include "cli/app/output.hpp"
#include "cli/print/json.hpp"
#include "cli/print/table.hpp"
#include "reports/listed_row.hpp"

namespace tgmap::cli {

using reports::listed_row;

/// Returns the row of bytes between messages; `kind` is "gap" or "incomplete_tail".
listed_row damage_row(std::string_view kind, const gap&);

/// The table of messages for people. Its columns are the keys whose values differ between the messages, their dtypes,
/// shapes and sizes. The first 1000 messages decide which keys these are; the width of the terminal decides how many
/// are shown.
class message_table {
 public:
  /// `with_layout` adds offset, length, version and index, and does not look at the width of the terminal.
  message_table(output& out, bool with_layout) : out_(&out), with_layout_(with_layout) {}

  void add(const listed_row&, const message&);
  /// Adds a row for a gap or an incomplete tail.
  void add_damage(std::string_view kind, const gap&);

  /// Writes the remaining rows, and the header if it is not written yet.
  void finish();

 private:
  struct row {
    listed_row listed{};
    std::optional<message> source{};  ///< empty for damage
    std::string dtypes = "-", shapes = "-", size = "-";
  };

  void add(row&&);
  void choose_columns();
  std::size_t width_for_keys(const std::vector<std::string_view>& fixed) const;
  std::string cell(const row&, std::string_view column) const;
  void print(const row&);

  output* out_;
  bool with_layout_;
  std::vector<row> waiting_{};        ///< until the columns are chosen
  std::vector<std::string> keys_{};   ///< the chosen keys
  std::vector<std::string> names_{};  ///< the same, safe to print
  std::optional<table> table_{};
};

}  // namespace tgmap::cli
