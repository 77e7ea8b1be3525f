// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "picture/axes.hpp"
#include "picture/colour_map.hpp"
#include "picture/frame.hpp"
#include "picture/image_frame.hpp"
#include "picture/scale.hpp"
#include "picture/words.hpp"

namespace tgmap::picture {

/// A picture in work: how fine it can be is planned before a number is read, then all numbers are taken in one pass,
/// then it is drawn. With one axis a line, with two a map.
class sketch {
 public:
  virtual ~sketch() = default;

  /// Elements in C order, the first one's number being `at`.
  virtual void add(std::uint64_t at, std::span<const double>, bool all_finite) = 0;

  /// Lines of text, or the bytes of a PNG file. `values` when one number is finite; a line without any is empty.
  virtual std::string draw(const std::optional<scale>& values, const colour_map&, const picture_words&) const = 0;
};

/// One or two axes.
std::unique_ptr<sketch> sketch_for_terminal(std::vector<axis>, const terminal_style&);
std::unique_ptr<sketch> sketch_for_image(std::vector<axis>, std::optional<image_size>);

}  // namespace tgmap::picture
