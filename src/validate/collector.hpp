// SPDX-License-Identifier: Apache-2.0
// Takes the findings of one message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/tools/validate.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgmap::checks {

/// One line of its pieces, which are text and numbers.
template <class... Piece>
std::string say(const Piece&... pieces) {
  std::string out;
  const auto add = [&](const auto& piece) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(piece)>>)
      out += std::to_string(piece);
    else
      out += std::string_view(piece);
  };
  (add(pieces), ...);
  return out;
}

/// A digest as files write it: sixteen hexadecimal digits.
std::string hexadecimal(std::uint64_t);

/// What a finding is about: an offset in the message, and the object if it is about one.
struct about {
  std::uint64_t at = 0;
  optional_index object{};
};

class collector {
 public:
  /// Findings of the message go behind those in `out`, `limit` of them at most.
  collector(std::vector<finding>& out, std::uint64_t message_offset, optional_index message, std::size_t limit) noexcept
      : out_(&out), offset_(message_offset), message_(message), limit_(limit), begin_(out.size()) {}

  void error(finding_code code, validation_level level, about what, std::string text) {
    ++errors_;
    add(code, level, severity::error, what, std::move(text));
  }
  void warning(finding_code code, validation_level level, about what, std::string text) {
    if (quiet_) return;
    ++warnings_;
    add(code, level, severity::warning, what, std::move(text));
  }
  void note(finding_code code, validation_level level, about what, std::string text) {
    add(code, level, severity::note, what, std::move(text));
  }

  /// Warnings are left out until it is said otherwise.
  void quiet(bool on) noexcept { quiet_ = on; }

  /// Tells of those that were left out, if there are any.
  void finish();

  std::uint64_t errors() const noexcept { return errors_; }
  std::uint64_t warnings() const noexcept { return warnings_; }

 private:
  void add(finding_code, validation_level, severity, about, std::string&&);

  std::vector<finding>* out_;
  std::uint64_t offset_;
  optional_index message_;
  std::size_t limit_, begin_;
  std::uint64_t errors_ = 0, warnings_ = 0, left_out_ = 0;
  bool quiet_ = false;
};

}  // namespace tgmap::checks
