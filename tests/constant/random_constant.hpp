// SPDX-License-Identifier: Apache-2.0
// Random constants of every kind of type, cell and label.
#pragma once

#include <random>
#include <string>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap_test {

struct random_choices {
  bool empty_labels = true;
  bool any_nan = true;  ///< including NaNs that text cannot represent
};

tgmap::constant::tensor_constant random_constant(std::mt19937_64&, const random_choices& = {});

/// Returns the difference between two constants bit by bit, with blocks in any order. Empty if none.
std::string bit_difference(const tgmap::constant::tensor_constant&, const tgmap::constant::tensor_constant&);

}  // namespace tgmap_test
