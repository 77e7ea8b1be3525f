// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <support/bytes.hpp>
#include <vector>

namespace tgmap_test {

/// Files that hold many of something for which a verb could look again and again.
struct shape {
  std::string what;
  std::string extension;                         ///< of the file: .tgm, .frame, .json
  std::function<bytes(std::size_t)> make;        ///< about so many bytes
  std::vector<std::string> command{};            ///< makes an archive of it: `{a}` the file, `{o}` the archive
  std::function<bytes(std::size_t)> compared{};  ///< what it is compared with, unless that is one that is shorter
};

const std::vector<shape>& shapes();

}  // namespace tgmap_test
