// SPDX-License-Identifier: Apache-2.0
#include "convert/npy_literal.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tgmap/options.hpp>

#include "convert/refusal.hpp"

namespace tgmap::convert {

namespace {

constexpr const char* load_and_save = "load it with NumPy and save it again";
constexpr std::string_view blanks = " \t\n\r\f";

/// Reads the text from its front.
class literal_reader {
 public:
  explicit literal_reader(std::string_view text) : text_(text) {}

  npy_literal all() {
    std::optional<std::string> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::uint64_t>> shape;
    expect('{', "'{'");
    while (!take('}')) {
      const std::string key = string("a key in quotes");
      expect(':', "':'");
      if (key == "descr")
        once(descr, key, type());
      else if (key == "fortran_order")
        once(fortran_order, key, boolean());
      else if (key == "shape")
        once(shape, key, tuple());
      else
        refuse("has a key besides 'descr', 'fortran_order' and 'shape'");
      if (take(',')) continue;
      expect('}', "',' or '}'");
      break;
    }
    skip();
    if (at_ != text_.size()) refuse("has something behind its dictionary");
    if (!descr || !fortran_order || !shape) refuse("lacks one of 'descr', 'fortran_order' and 'shape'");
    return {std::move(*descr), *fortran_order, std::move(*shape)};
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw refusal("the header " + what + ", at its byte " + std::to_string(at_), load_and_save);
  }

  template <class T>
  void once(std::optional<T>& into, const std::string& key, T value) const {
    if (into) refuse("has '" + key + "' twice");
    into = std::move(value);
  }

  void skip() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }

  bool take(char wanted) {
    skip();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted, const std::string& what) {
    if (!take(wanted)) refuse("should have " + what);
  }

  std::string string(const char* what) {
    skip();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') refuse(std::string("should have ") + what);
    const std::size_t end = text_.find_first_of(quote == '"' ? "\"\\\n" : "'\\\n", at_ + 1);
    if (end == text_.npos || text_[end] != quote) refuse("has a string that does not end, or a backslash");
    std::string out(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }

  /// What a list describes, or a tuple, is not one number.
  std::string type() {
    skip();
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '('))
      throw refusal("the elements are structured, with several fields each", "save each field in a file of its own");
    return string("a dtype in quotes");
  }

  bool boolean() {
    skip();
    for (const bool truth : {false, true}) {
      const std::string_view word = truth ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return truth;
    }
    refuse("should have True or False");
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> out;
    expect('(', "a tuple");
    while (!take(')')) {
      if (out.size() == max_rank)
        throw refusal("has more than " + std::to_string(max_rank) + " dimensions", "reshape it to fewer");
      out.push_back(extent());
      if (take(',')) continue;
      if (out.size() == 1) refuse("should have ',' behind the only extent");
      expect(')', "',' or ')'");
      break;
    }
    return out;
  }

  std::uint64_t extent() {
    skip();
    std::uint64_t out = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (problem == std::errc::result_out_of_range) refuse("has an extent beyond 64 bits");
    if (problem != std::errc() || (*begin == '0' && end - begin > 1)) refuse("should have an extent");
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

npy_literal parse_npy_literal(std::string_view text) { return literal_reader(text).all(); }

}  // namespace tgmap::convert
