// SPDX-License-Identifier: Apache-2.0
#include "convert/npy_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <tgmap/options.hpp>
#include <utility>

#include "convert/conversion.hpp"

namespace tgmap::convert {

namespace {

constexpr std::array<std::pair<std::string_view, dtype>, 14> known_dtypes{{{"f2", dtype::float16},
                                                                           {"f4", dtype::float32},
                                                                           {"f8", dtype::float64},
                                                                           {"c8", dtype::complex64},
                                                                           {"c16", dtype::complex128},
                                                                           {"i1", dtype::int8},
                                                                           {"i2", dtype::int16},
                                                                           {"i4", dtype::int32},
                                                                           {"i8", dtype::int64},
                                                                           {"u1", dtype::uint8},
                                                                           {"u2", dtype::uint16},
                                                                           {"u4", dtype::uint32},
                                                                           {"u8", dtype::uint64},
                                                                           {"V2", dtype::bfloat16}}};

std::string quoted(std::string_view descr) {
  constexpr std::size_t max_length = 40;  // a header may contain any text
  return "'" + std::string(descr.substr(0, max_length)) + (descr.size() > max_length ? "...'" : "'");
}

[[noreturn]] void refuse_descr(std::string_view descr, std::string_view kind) {
  const auto because = [&](const char* what) { return "the elements are " + quoted(descr) + ", " + what; };
  if (kind.starts_with('O'))
    throw conversion_error(because("Python objects"),
                           "save numbers; astype('float64') converts objects that are numbers");
  if (kind.starts_with('S') || kind.starts_with('U'))
    throw conversion_error(because("text"), "store text as metadata; elements must be numbers");
  if (kind.starts_with('M') || kind.starts_with('m'))
    throw conversion_error(because("dates or times"),
                           "save them as numbers, with x.view('int64'), and the unit as metadata");
  throw conversion_error(because("which Tensogram has no dtype for"),
                         "convert them with astype to one of f2 f4 f8 c8 c16 i1 i2 i4 i8 u1 u2 u4 u8");
}

constexpr const char* save_again = "load the file with NumPy and save it again";
constexpr std::string_view blanks = " \t\n\r\f";

/// A `header_parser` reads the dictionary from left to right.
class header_parser {
 public:
  explicit header_parser(std::string_view text) : text_(text) {}

  npy_header read() {
    std::optional<std::string> descr;
    std::optional<bool> is_fortran_order;
    std::optional<std::vector<std::uint64_t>> shape;
    expect('{', "'{'");
    while (!take('}')) {
      const std::string key = string("a key in quotes");
      expect(':', "':'");
      if (key == "descr")
        once(descr, key, type());
      else if (key == "fortran_order")
        once(is_fortran_order, key, boolean());
      else if (key == "shape")
        once(shape, key, tuple());
      else
        refuse("has a key besides 'descr', 'fortran_order' and 'shape'");
      if (take(',')) continue;
      expect('}', "',' or '}'");
      break;
    }
    skip_blanks();
    if (at_ != text_.size()) refuse("has text after its dictionary");
    if (!descr || !is_fortran_order || !shape) refuse("lacks one of 'descr', 'fortran_order' and 'shape'");
    return {std::move(*descr), *is_fortran_order, std::move(*shape)};
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw conversion_error("the header " + what + ", at byte " + std::to_string(at_), save_again);
  }

  template <class T>
  void once(std::optional<T>& into, const std::string& key, T value) const {
    if (into) refuse("has '" + key + "' twice");
    into = std::move(value);
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }

  bool take(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted, const std::string& what) {
    if (!take(wanted)) refuse("should have " + what);
  }

  std::string string(const char* what) {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') refuse(std::string("should have ") + what);
    const std::size_t end = text_.find_first_of(quote == '"' ? "\"\\\n" : "'\\\n", at_ + 1);
    if (end == text_.npos || text_[end] != quote) refuse("has an unterminated string, or a backslash");
    std::string out(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return out;
  }

  /// Reads the value of `descr`. A list or a tuple stands for a structured dtype.
  std::string type() {
    skip_blanks();
    if (at_ < text_.size() && (text_[at_] == '[' || text_[at_] == '('))
      throw conversion_error("the elements are structured, with several fields each",
                             "save each field to its own file");
    return string("a dtype in quotes");
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    refuse("should have True or False");
  }

  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> out;
    expect('(', "a tuple");
    while (!take(')')) {
      if (out.size() == max_rank)
        throw conversion_error("has more than " + std::to_string(max_rank) + " dimensions", "reshape it to fewer");
      out.push_back(extent());
      if (take(',')) continue;
      if (out.size() == 1) refuse("should have ',' after the only extent");
      expect(')', "',' or ')'");
      break;
    }
    return out;
  }

  std::uint64_t extent() {
    skip_blanks();
    std::uint64_t out = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), out);
    if (status == std::errc::result_out_of_range) refuse("has an extent that needs more than 64 bits");
    if (status != std::errc() || (*begin == '0' && end - begin > 1)) refuse("should have an extent");
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string tuple_text(std::span<const std::uint64_t> shape) {
  std::string out = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) out += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return out + (shape.size() == 1 ? ",)" : ")");
}

std::string little_endian_bytes(std::size_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

}  // namespace

npy_dtype parse_npy_descr(std::string_view descr) {
  const bool ordered = !descr.empty() && std::string_view("<>|").find(descr.front()) != descr.npos;
  const char order = ordered ? descr.front() : '\0';
  const std::string_view kind = descr.substr(ordered ? 1 : 0);
  npy_dtype out{.order = order == '>' ? byte_order::big : byte_order::little};
  if (order == '|' && (kind == "b1" || kind == "V2"))
    return {.type = kind == "b1" ? dtype::uint8 : dtype::bfloat16, .is_exact = false};
  for (const auto& [name, type] : known_dtypes) {
    if (name != kind) continue;
    if (swap_unit(type) > 1 && order != '<' && order != '>')
      throw conversion_error("the elements are " + quoted(descr) + ", without a byte order",
                             "load the file with NumPy on the kind of machine that wrote it, and save it again");
    out.type = type;
    return out;
  }
  refuse_descr(descr, kind);
}

npy_header parse_npy_header(std::string_view text) { return header_parser(text).read(); }

std::string_view npy_descr(dtype type) noexcept {
  constexpr std::array<std::string_view, dtype_count> names{"<f2", "<V2", "<f4", "<f8", "<c8", "<c16", "|i1", "<i2",
                                                            "<i4", "<i8", "|u1", "<u2", "<u4", "<u8",  "|u1"};
  return names[static_cast<std::size_t>(type)];
}

std::string make_npy_header(dtype type, std::span<const std::uint64_t> shape, bool is_fortran_order) {
  std::string text = "{'descr': '";
  text += npy_descr(type);
  text += "', 'fortran_order': ";
  text += is_fortran_order ? "True" : "False";
  text += ", 'shape': " + tuple_text(shape) + ", }";

  constexpr std::size_t prefix_size = 8, alignment = 64;  // magic and version; NumPy pads to 64
  const auto padded = [&](std::size_t length_bytes) {
    const std::size_t end = prefix_size + length_bytes + text.size() + 1;
    return (end + alignment - 1) / alignment * alignment - prefix_size - length_bytes;
  };
  const bool short_enough = padded(2) <= 0xffff;
  const std::size_t length_bytes = short_enough ? 2 : 4;
  const std::size_t length = padded(length_bytes);
  text.resize(length - 1, ' ');

  std::string out = "\x93NUMPY";
  out += short_enough ? '\x01' : '\x02';
  out += '\x00';
  return out + little_endian_bytes(length, length_bytes) + text + '\n';
}

}  // namespace tgmap::convert
