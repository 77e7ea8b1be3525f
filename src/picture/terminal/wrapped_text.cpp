// SPDX-License-Identifier: Apache-2.0
#include "picture/terminal/wrapped_text.hpp"

#include <algorithm>

#include "picture/terminal/terminal.hpp"

namespace tgmap::picture {

namespace {

/// Fills lines of at most `width` characters with parts of a text. A longer part has a line of its own.
class line_filler {
 public:
  explicit line_filler(std::size_t width) : width_(width) {}

  void add(std::string_view part, std::size_t blanks) {
    const std::size_t size = width_of(part);
    if (used_ != 0 && used_ + blanks + size > width_) {
      text_ += '\n';
      used_ = 0;
    }
    if (used_ == 0) blanks = 0;
    text_.append(blanks, ' ').append(part);
    used_ += blanks + size;
  }
  std::string text() const { return text_ + "\n"; }

 private:
  std::size_t width_, used_ = 0;
  std::string text_{};
};

}  // namespace

std::string wrapped_text(std::string_view text, std::size_t width) {
  line_filler out(width);
  for (std::size_t at = 0, blanks = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("  ", at), text.size());
    const std::string_view part = text.substr(at, end - at);
    if (width_of(part) <= width) {
      out.add(part, blanks);
    } else {
      for (std::size_t word = 0; word < part.size();) {
        const std::size_t stop = std::min(part.find(' ', word), part.size());
        out.add(part.substr(word, stop - word), word == 0 ? blanks : 1);
        word = stop + 1;
      }
    }
    at = std::min(text.find_first_not_of(' ', end), text.size());
    blanks = at - end;
  }
  return out.text();
}

}  // namespace tgmap::picture
