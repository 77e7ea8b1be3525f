// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <tgmap/write/cbor_value.hpp>
#include <utility>
#include <vector>

#include "cli/assignments.hpp"

namespace tgmap::cli {

struct metadata_options {
  std::string meta;
  std::vector<std::string> assignments{};
};

/// Declares --meta and -s.
void add_metadata_options(CLI::App&, metadata_options& into);

/// The metadata that the command line gives to objects that are made.
class new_metadata {
 public:
  /// Throws usage_error; file_error where a file that --meta names cannot be read.
  explicit new_metadata(const metadata_options&);

  /// Keys of object `j`, of all that are made: `name`, if there is one, then --meta, then -s, the later one counts.
  /// Throws complaint when --meta has keys for fewer objects.
  cbor_value base(std::size_t j, const std::string& name) const;

  /// Keys of every message: of --meta, then those of -s that begin with "extra.".
  const cbor_value& extra() const noexcept { return extra_; }

  /// There are so many objects. Throws complaint when --meta has keys for more.
  void check_count(std::size_t objects) const;

 private:
  void take(const cbor_value& meta);
  void assign(const assignment&);

  std::vector<cbor_value> each_{};  ///< of every object its own; not used unless `listed_`
  bool listed_ = false;
  cbor_value all_ = cbor_value::map(), extra_ = cbor_value::map();
  std::vector<std::pair<std::string, cbor_value>> assigned_{};
};

}  // namespace tgmap::cli
