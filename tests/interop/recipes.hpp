// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "elements.hpp"

namespace tgmap_interop {

/// A `recipe` is a tensor to write, and the elements to expect.
struct recipe {
  std::string name{};
  tgmap::new_object object{};  ///< without its data
  bytes elements{};            ///< in the byte order of the object
  bytes expected{};            ///< elements to read, in this machine's byte order
  double bound = 0;            ///< maximum error
  bool is_smooth = false;      ///< a codec computes with the elements, which are float64
};

/// A `group` is the tensors of one message, which are stored in the same way.
struct group {
  std::string name{};
  std::vector<recipe> recipes{};
};

/// Returns tensors with every encoding, filter and compression, with every dtype in both byte orders, every shape, and
/// every kind of mask by every method, as far as the wire version has them.
std::vector<group> groups(int version);

}  // namespace tgmap_interop
