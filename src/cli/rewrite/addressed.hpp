// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tgmap/archive.hpp>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// Whether messages are those that an address means; asked of one after another, from the first.
class addressed {
 public:
  /// Throws tgmap::error; cli_error where the address means none.
  addressed(const archive& from, const target& what, session& run);

  bool next_is(const message&);

 private:
  std::optional<std::uint64_t> offset_;
  bounds which_{0, UINT64_MAX};
  std::uint64_t number_ = 0;
};

}  // namespace tgmap::cli
