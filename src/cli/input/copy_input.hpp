// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/tools/copy.hpp>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// A `copy_input` opens an archive together with a descriptor of the same file, from which the system can copy.
class copy_input {
 public:
  /// Errors: as open_archive.
  copy_input(const target&, session&, object_lookup = object_lookup::index);
  ~copy_input();
  copy_input(const copy_input&) = delete;
  copy_input& operator=(const copy_input&) = delete;

  const archive& opened() const noexcept { return source_.from; }

  /// Lifetime: until this object is destroyed.
  const copy_source& source() const noexcept { return source_; }

 private:
  copy_source source_{};
};

}  // namespace tgmap::cli
