// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/write/new_message.hpp>
#include <vector>

#include "elements.hpp"

namespace tgmap_interop {

/// A tensor to be written, and what is to come back.
struct recipe {
  std::string name{};
  tgmap::new_object object{};  ///< without its data
  bytes elements{};            ///< as they are given, in the object's byte order
  bytes expected{};            ///< as they are read, in this machine's order
  double bound = 0;            ///< how far what comes back may lie from them
  bool smooth = false;         ///< float64 that a codec computes with
};

/// Tensors that are stored alike, for one message.
struct group {
  std::string name{};
  std::vector<recipe> recipes{};
};

/// Every encoding, filter and compression with every dtype it takes in both byte orders, every shape, every kind of
/// mask by every method. `version`: what that wire version can say.
std::vector<group> groups(int version);

}  // namespace tgmap_interop
