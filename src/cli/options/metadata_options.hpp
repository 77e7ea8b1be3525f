// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <tgmap/write/cbor_value.hpp>
#include <utility>
#include <vector>

#include "cli/options/assignments.hpp"

namespace tgmap::cli {

/// Values of --meta and -s.
struct metadata_options {
  std::optional<std::string> meta{};
  std::vector<std::string> assignments{};
};

/// Adds --meta and -s.
void add_metadata_options(CLI::App&, metadata_options& into);

/// Metadata for new objects and messages, from the command line.
class new_metadata {
 public:
  /// Errors: usage_error; file_error if the file that --meta names cannot be read.
  explicit new_metadata(const metadata_options&);

  /// Returns the keys of object `j`: `name` if not empty, then --meta, then -s; later ones win.
  /// Errors: cli_error if --meta has keys for fewer objects.
  cbor_value base(std::size_t j, const std::string& name) const;

  /// Returns the keys of every message: from --meta, then those of -s that begin with "extra.".
  const cbor_value& extra() const noexcept { return extra_; }

  /// Checks the number of objects at the end. Errors: cli_error if --meta has keys for more.
  void check_count(std::size_t objects) const;

 private:
  void take(const cbor_value& meta);
  void assign(const assignment&);

  std::vector<cbor_value> each_{};  ///< keys of each object, if `listed_`
  bool listed_ = false;
  cbor_value all_ = cbor_value::map(), extra_ = cbor_value::map();
  std::vector<std::pair<std::string, cbor_value>> assigned_{};
};

}  // namespace tgmap::cli
