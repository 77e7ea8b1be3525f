// SPDX-License-Identifier: Apache-2.0
// Constants made by chance, of every kind of type, cell and label.
#pragma once

#include <random>
#include <string>
#include <tgmap/constant/tensor_constant.hpp>

namespace tgmap_test {

struct random_choices {
  bool empty_labels = true;
  bool any_nan = true;  ///< also such as no text can tell from others
};

tgmap::constant::tensor_constant random_constant(std::mt19937_64&, const random_choices& = {});

/// How two constants differ, bit by bit, whatever the order of their blocks; empty: in nothing.
std::string bit_difference(const tgmap::constant::tensor_constant&, const tgmap::constant::tensor_constant&);

}  // namespace tgmap_test
