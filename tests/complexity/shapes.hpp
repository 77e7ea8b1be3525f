// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <support/bytes.hpp>
#include <vector>

namespace tgmap_test {

/// A kind of file with many of something that a verb could search again and again.
struct shape {
  std::string what;
  std::string extension;                         ///< of the file: .tgm, .frame, .json
  std::function<bytes(std::size_t)> make;        ///< about so many bytes
  std::vector<std::string> command{};            ///< makes an archive of the file: `{a}` the file, `{o}` the archive
  std::function<bytes(std::size_t)> compared{};  ///< what it is compared with; by default a shorter one
};

const std::vector<shape>& shapes();

}  // namespace tgmap_test
