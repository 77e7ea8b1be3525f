// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tgmap::core {

/// A `text_sink` receives text piece by piece.
class text_sink {
 public:
  virtual ~text_sink() = default;
  /// Returns false if no more text is wanted.
  virtual bool take(std::string_view piece) = 0;
};

/// A `text_builder` appends the text to a string.
class text_builder final : public text_sink {
 public:
  explicit text_builder(std::string& out) noexcept : out_(out) {}
  bool take(std::string_view piece) override {
    out_ += piece;
    return true;
  }

 private:
  std::string& out_;
};

}  // namespace tgmap::core
