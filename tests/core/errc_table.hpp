// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/error.hpp>
#include <vector>

namespace tgmap_test {

/// An enumerator as `include/tgmap/errc.hpp` spells it.
struct errc_row {
  std::string name;
  int value;
  tgmap::errc code() const { return static_cast<tgmap::errc>(value); }
};

/// Every enumerator of errc, read from the header itself: a new one cannot be forgotten here.
const std::vector<errc_row>& all_errcs();

}  // namespace tgmap_test
