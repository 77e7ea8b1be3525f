// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tgmap::convert {

/// What the header of an .npy file says, as it says it.
struct npy_literal {
  std::string descr;  ///< "<f4"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the header of an .npy file: one Python dictionary with just these three keys, and blanks around it. Python's
/// literals are taken as far as such headers have them: strings without backslashes, True and False, tuples of whole
/// numbers, also with the L that Python 2 wrote behind them. At most `max_rank` extents. O(text); throws refusal.
npy_literal parse_npy_literal(std::string_view);

}  // namespace tgmap::convert
