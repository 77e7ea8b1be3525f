// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <tgmap/write/writer.hpp>

namespace tgmap::cli {

struct layout_options {
  int wire = 3;
  bool no_hash = false;
  std::optional<index_placement> index{};  ///< the header unless said
  bool reproducible = false;
  std::uint64_t alignment = write_options{}.payload_alignment;
};

/// Declares --wire, --no-hash, --index, --align and --reproducible.
void add_layout_options(CLI::App&, layout_options& into);

/// Throws usage_error: SOURCE_DATE_EPOCH is set, and no time.
void check_source_date();

/// What they mean together: digests are listed where the index is. Throws as check_source_date.
write_options make_layout(const layout_options&);

}  // namespace tgmap::cli
