// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <tgmap/options.hpp>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/session.hpp"

namespace tgmap::cli {

/// Adds --take-damaged. `effect` describes it.
CLI::Option* add_take_damaged(CLI::App&, on_mismatch& into,
                              const std::string& effect =
                                  "Accept objects, metadata and indexes whose hash does not "
                                  "match; the exit status is then 3");

/// Returns how objects are found. A damaged index that is to be taken may be wrong, so it is not used.
inline object_lookup lookup_for(on_mismatch rule) noexcept {
  return rule == on_mismatch::take ? object_lookup::walk : object_lookup::index;
}

/// A `damage_check` treats content whose hash does not match and that gets a new one: it is an error, or is reported.
class damage_check {
 public:
  damage_check(on_mismatch rule, session& run) : rule_(rule), run_(run) {}

  /// Loads these objects of a message of `file`, and accepts its damage. Errors: as `accept`; tgmap::error.
  void load(const std::string& file, const message&, std::span<const std::size_t> objects, stored_message& to);

  /// Accepts damage that was found in a message of `file`. Reports it, which sets the exit status. Errors: throws
  /// cli_error with the address, unless `on_mismatch::take`.
  void accept(const std::string& file, const message&, const failure& damage);

  /// Reports how much was accepted without a line of its own.
  void finish(const std::string& file);

 private:
  const on_mismatch rule_;
  session& run_;
  std::uint64_t reported_ = 0;
};

}  // namespace tgmap::cli
