// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/archive.hpp>
#include <tgmap/index_status.hpp>
#include <tgmap/query/indexed_selection.hpp>
#include <tgmap/tools/explain.hpp>
#include <vector>

#include "reports/json.hpp"

namespace tgmap::reports {

/// Returns whether an index is used, and how far it was compared, or why it is not.
json to_json(const index_status&);

/// Returns how an object was found and read, as docs/schema/explain.json describes it.
json to_json(const std::string& file, const access_report&);

/// The answers of an index to a selection.
struct index_coverage {
  index_status index{};
  std::uint64_t selected = 0, not_selected = 0, unknown = 0;  ///< messages or objects that the index lists
  std::uint64_t bytes_after = 0;                              ///< of the archive that the index does not cover
  std::vector<std::string> keys_without_column{};

  index_coverage(const archive&, const indexed_selection&);
};

/// Returns the answers as docs/schema/explain_selection.json describes them.
json to_json(const std::string& file, const index_coverage&, std::string_view selection, bool of_objects);

}  // namespace tgmap::reports
