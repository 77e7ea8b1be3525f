// SPDX-License-Identifier: Apache-2.0
// In version 2 szip means what the release that wrote it took it for (§7.4).
#pragma once

#include <tgmap/descriptor.hpp>

#include "codec/packing/packing_parameters.hpp"

namespace tgmap::write {

/// Whether it matters who wrote szip: the flags that releases from 0.7.0 on imply are those of packed samples, and
/// change nothing of single bytes. `Stages`: a pipeline or a descriptor; `bits`: of a packed element.
template <class Stages>
bool depends_on_szip_writer(const Stages& of, unsigned bits) noexcept {
  return of.compression == compression::szip && of.encoding == encoding::simple_packing && bits > 8;
}

inline bool depends_on_szip_writer(const descriptor& what) noexcept {
  codec::packing_parameters packing;
  return !codec::read_packing_parameters(what, packing) && depends_on_szip_writer(what, packing.bits);
}

}  // namespace tgmap::write
