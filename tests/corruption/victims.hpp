// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <support/bytes.hpp>
#include <vector>

namespace tgmap_test {

struct victim {
  std::string name;
  bytes data;
};

/// A dozen small valid archives of both versions, each with a feature of its own.
std::vector<victim> victims();

}  // namespace tgmap_test
