// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <tgmap/archive.hpp>
#include <vector>

/// Visits all parts of an archive by the overloads that do not throw, and records them as text. Equal archives have
/// equal texts.
namespace tgmap_test {

struct survey {
  std::string text;                   ///< messages, frames, objects, metadata, gaps, tail; failures by name and place
  std::vector<std::string> bodies;    ///< hash of every frame, in order
  std::vector<std::string> payloads;  ///< hash of every object, in order
  bool all_match = true;              ///< every frame of version 3, every object of version 2: verify() says match
  std::string contradiction;          ///< two calls that disagree, or a failure without text; empty: none
  bool whole = true;                  ///< no failure anywhere, no gap, no tail
  bool tight = true;                  ///< no padding is longer than alignment needs, so no frame is hidden in it
  std::size_t messages = 0;
};

survey survey_of(const tgmap::archive& archive);

/// Checks the rules for arbitrary bytes under on_damage::skip. Returns the broken rule, or an empty text.
std::string broken_invariant(const tgmap::archive& archive);

}  // namespace tgmap_test
