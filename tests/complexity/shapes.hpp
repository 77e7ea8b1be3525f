// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <support/bytes.hpp>
#include <vector>

namespace tgmap_test {

/// A `shape` is a kind of hostile file: it has many parts of one kind, which a verb could search again for each of
/// them.
struct shape {
  std::string name;
  std::string extension;                         ///< of the file: .tgm, .frame, .json
  std::function<bytes(std::size_t)> make;        ///< makes about that many bytes
  std::vector<std::string> command{};            ///< makes an archive of the file: `{a}` the file, `{o}` the archive
  std::function<bytes(std::size_t)> compared{};  ///< makes the file to compare with; by default a shorter one
};

const std::vector<shape>& shapes();

}  // namespace tgmap_test
