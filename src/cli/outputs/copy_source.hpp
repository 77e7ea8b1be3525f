// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tgmap/archive.hpp>
#include <utility>

#include "cli/app/session.hpp"
#include "cli/input/target.hpp"

namespace tgmap::cli {

/// An archive, and the very file that it is of, out of which the system can copy by itself.
class copy_source {
 public:
  /// As open_archive.
  copy_source(const target&, const session&, object_lookup = object_lookup::index);
  ~copy_source();
  copy_source(const copy_source&) = delete;
  copy_source& operator=(const copy_source&) = delete;

  const archive& from() const noexcept { return from_; }

  /// Of a regular file; -1: there is none, as of a pipe that was copied to be read.
  int descriptor() const noexcept { return descriptor_; }

 private:
  archive from_{};
  int descriptor_ = -1;
};

}  // namespace tgmap::cli
