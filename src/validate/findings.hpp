// SPDX-License-Identifier: Apache-2.0
// Findings of one message, and the words they are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/tools/validate.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tgmap::validation {

/// Returns one text of its parts, which are text and numbers.
template <class... Part>
std::string concat(const Part&... parts) {
  std::string out;
  const auto add = [&](const auto& part) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(part)>>)
      out += std::to_string(part);
    else
      out += std::string_view(part);
  };
  (add(parts), ...);
  return out;
}

/// Returns a hash as files write it: sixteen hexadecimal digits.
std::string hash_text(std::uint64_t);

/// The place that a finding is about: an offset in the message, and the object if there is one.
struct location {
  std::uint64_t offset = 0;
  optional_index object{};
};

/// A `message_findings` receives the findings of one message, counts them, and keeps a limited number.
class message_findings {
 public:
  /// Appends the findings to `out`, at most `limit` of them.
  message_findings(std::vector<finding>& out, std::uint64_t message_offset, optional_index message,
                   std::size_t limit) noexcept
      : out_(&out), offset_(message_offset), message_(message), limit_(limit), begin_(out.size()) {}

  void error(finding_code code, validation_level level, location where, std::string text) {
    ++errors_;
    add(code, level, severity::error, where, std::move(text));
  }
  void warning(finding_code code, validation_level level, location where, std::string text) {
    if (drops_warnings_) return;
    ++warnings_;
    add(code, level, severity::warning, where, std::move(text));
  }
  void note(finding_code code, validation_level level, location where, std::string text) {
    add(code, level, severity::note, where, std::move(text));
  }

  /// Drops warnings from now on, or no longer does.
  void drop_warnings(bool on) noexcept { drops_warnings_ = on; }

  /// Adds a note with the number of findings beyond the limit, if there are any.
  void finish();

  std::uint64_t errors() const noexcept { return errors_; }
  std::uint64_t warnings() const noexcept { return warnings_; }

 private:
  void add(finding_code, validation_level, severity, location, std::string&&);

  std::vector<finding>* out_;
  std::uint64_t offset_;
  optional_index message_;
  std::size_t limit_, begin_;
  std::uint64_t errors_ = 0, warnings_ = 0, left_out_ = 0;
  bool drops_warnings_ = false;
};

}  // namespace tgmap::validation
