// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <tgmap/write/writer.hpp>

namespace tgmap::cli {

/// Values of --wire, --no-hash, --index, --align and --reproducible.
struct layout_options {
  int wire = 3;
  bool no_hash = false;
  std::optional<index_placement> index{};  ///< default: header
  bool reproducible = false;
  std::uint64_t alignment = write_options{}.payload_alignment;
};

/// Adds --wire, --no-hash, --index, --align and --reproducible.
void add_layout_options(CLI::App&, layout_options& into);

/// Checks SOURCE_DATE_EPOCH. Errors: usage_error if it is set but not a time.
void check_source_date();

/// Returns the options of a writer; the hash list goes where the index is. Errors: like check_source_date.
write_options make_layout(const layout_options&);

}  // namespace tgmap::cli
