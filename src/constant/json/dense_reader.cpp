// SPDX-License-Identifier: Apache-2.0
#include "constant/json/dense_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "constant/json/json_string.hpp"
#include "constant/model/cell.hpp"
#include "core/text/hex.hpp"

namespace tgmap {
inline namespace v0 {
namespace constant::json {

namespace {

std::string element_count(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " element" : " elements");
}

/// A `nested_reader` reads arrays in arrays, one level for each dimension, without recursion.
template <class Cell>
class nested_reader {
 public:
  nested_reader(parser& in, const block_shape& shape, Cell* to) noexcept : in_(in), shape_(shape), to_(to) {
    std::uint64_t stride = 1;
    for (std::size_t d = shape.rank; d-- > 0; stride *= shape.sizes[d]) strides_[d] = stride;
  }

  read_status read() {
    const bool read = read_levels();
    return !read ? read_status::stop : is_invalid_ ? read_status::invalid : read_status::ok;
  }

 private:
  /// Reads from bracket to bracket. `index_` is the position. Returns false to stop, as all functions below.
  bool read_levels() {
    std::size_t d = 0;
    index_[0] = 0;
    in_.tokens.next();
    for (;;) {
      bool is_closed = false;  // the array of level d
      if (in_.tokens.kind() == ']') {
        if (!close(d, 0)) return false;
        is_closed = true;
      } else if (d + 1 == shape_.rank) {
        if (!read_row(d)) return false;
        is_closed = true;
      } else if (in_.tokens.kind() == '[') {
        in_.tokens.next();
        index_[++d] = 0;
        continue;
      } else if (!report_wrong_element(d)) {
        return false;
      }
      // After an element: close all arrays that end here.
      for (;;) {
        if (is_closed) {
          if (d == 0) return true;
          --d;
        }
        if (in_.tokens.kind() == ',') {
          in_.tokens.next();
          if (++index_[d] < shape_.sizes[d]) {
            if (in_.tokens.kind() == ']') return stop(in_.report_bad_json("a value"));
            break;
          }
          if (!skip_surplus(d)) return false;
        } else if (in_.tokens.kind() == ']') {
          if (!close(d, index_[d] + 1)) return false;
        } else {
          return stop(in_.report_bad_json("a comma or ]"));
        }
        is_closed = true;
      }
      // Level d has another element, which is an array, because read_row() reads all elements of a row.
    }
  }

  bool read_row(std::size_t d) {
    const std::uint64_t size = shape_.sizes[d];
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < d; ++i) begin += index_[i] * strides_[i];
    std::uint64_t& n = index_[d];
    for (n = 0;;) {
      bool has_comma = true;
      if (to_ != nullptr && in_.tokens.kind() != '"')
        n += read_plain_numbers(in_.tokens, to_ + begin + n, size - n, in_.rules(), has_comma);
      if (!has_comma) return close(d, n);
      if (n == size) return skip_surplus(d);
      if (in_.tokens.kind() == ']') return stop(in_.report_bad_json("a value"));
      Cell ignored{};
      push_index(d + 1);
      const read_status result = in_.read_cell(to_ != nullptr ? to_[begin + n] : ignored);
      in_.path.pop(d + 1);
      if (result == read_status::stop) return false;
      is_invalid_ = is_invalid_ || result == read_status::invalid;
      ++n;
      if (in_.tokens.kind() == ']') return close(d, n);
      if (in_.tokens.kind() != ',') return stop(in_.report_bad_json("a comma or ]"));
      in_.tokens.next();
      if (n == size) return skip_surplus(d);
    }
  }

  /// Handles the closing bracket of an array with `count` elements.
  bool close(std::size_t d, std::uint64_t count) {
    if (count != shape_.sizes[d] && !report_wrong_length(d, count, in_.tokens.offset())) return false;
    in_.tokens.next();
    return true;
  }

  /// Skips and counts the elements after the last expected one.
  bool skip_surplus(std::size_t d) {
    const std::uint64_t offset = in_.tokens.offset();
    std::uint64_t count = shape_.sizes[d];
    for (;; in_.tokens.next()) {
      push_index(d);
      const read_status skipped = in_.skip();
      in_.path.pop(d);
      if (skipped == read_status::stop) return false;
      ++count;
      if (in_.tokens.kind() == ']') break;
      if (in_.tokens.kind() != ',') return stop(in_.report_bad_json("a comma or ]"));
    }
    if (!report_wrong_length(d, count, offset)) return false;
    in_.tokens.next();
    return true;
  }

  bool report_wrong_length(std::size_t d, std::uint64_t count, std::uint64_t offset) {
    is_invalid_ = true;
    push_index(d);
    const read_status result =
        in_.report_problem({.why = {.code = errc::array_length, .expected = shape_.sizes[d], .found = count},
                            .expected = element_count(shape_.sizes[d]),
                            .found = std::to_string(count)},
                           offset);
    in_.path.pop(d);
    return result != read_status::stop;
  }

  bool report_wrong_element(std::size_t d) {
    is_invalid_ = true;
    push_index(d + 1);
    const read_status result =
        in_.report_wrong_value(errc::unexpected_token, "an array of " + element_count(shape_.sizes[d + 1]));
    in_.path.pop(d + 1);
    return result != read_status::stop;
  }

  void push_index(std::size_t levels) noexcept {
    for (std::size_t i = 0; i < levels; ++i) in_.path.push_index(index_[i]);
  }
  static bool stop(read_status) noexcept { return false; }

  parser& in_;
  const block_shape& shape_;
  Cell* to_;
  std::array<std::uint64_t, max_rank> index_{}, strides_{};
  bool is_invalid_ = false;
};

read_status read_nested(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  return visit_cell_type(type, [&]<class Cell>(Cell) {
    return nested_reader<Cell>(in, shape, reinterpret_cast<Cell*>(cells.data())).read();
  });
}

/// Reads an array of as many values as the shape has cells.
read_status read_flat(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  block_shape flat = shape;
  flat.rank = 1;
  flat.sizes[0] = 1;
  for (std::size_t d = 0; d < shape.rank; ++d) flat.sizes[0] *= shape.sizes[d];
  return read_nested(in, type, flat, cells);
}

/// Returns the value whose bits are these digits. Their number determines the type.
double value_of_digits(std::string_view digits) noexcept {
  std::uint64_t bits = 0;
  for (const char c : digits) bits = bits << 4 | *core::hex_value(c);
  switch (digits.size()) {
    case 2: return std::bit_cast<std::int8_t>(static_cast<std::uint8_t>(bits));
    case 4: return static_cast<double>(static_cast<float>(bfloat16{static_cast<std::uint16_t>(bits)}));
    case 8: return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    default: return std::bit_cast<double>(bits);
  }
}

/// Reads the current string as hexadecimal digits.
read_status read_hex(parser& in, dtype type, std::uint64_t count, std::span<std::byte> cells) {
  const std::string_view digits = in.tokens.raw_string();
  const bool is_int8 = type == dtype::int8;
  const std::uint64_t each = digits.size() / count;
  const bool fits = digits.size() % count == 0 && (each == 2 || (!is_int8 && (each == 4 || each == 8 || each == 16)));
  const auto wrong_digit = std::find_if(digits.begin(), digits.end(), [](char c) { return !core::hex_value(c); });
  read_status result = read_status::ok;
  if (wrong_digit != digits.end()) {
    const auto position = static_cast<std::size_t>(wrong_digit - digits.begin());
    result = in.report_problem({.why = {.code = errc::bad_hex, .expected = digits.size(), .found = position},
                                .expected = "hexadecimal digits",
                                .found = '"' + printable(digits.substr(position, 1)) + "\" after " +
                                         std::to_string(position) + (position == 1 ? " digit" : " digits")},
                               in.tokens.offset() + 1 + position);
  } else if (!fits) {
    result = in.report_problem({.why = {.code = errc::bad_hex, .expected = count * 2, .found = digits.size()},
                                .expected = std::string(is_int8 ? "2 digits" : "2, 4, 8 or 16 digits") +
                                            " for each of " + std::to_string(count) + (count == 1 ? " cell" : " cells"),
                                .found = std::to_string(digits.size()) + (digits.size() == 1 ? " digit" : " digits")},
                               in.tokens.offset());
  } else if (!cells.empty()) {
    visit_cell_type(type, [&]<class Cell>(Cell) {
      auto* to = reinterpret_cast<Cell*>(cells.data());
      for (std::uint64_t i = 0; i < count; ++i)
        (void)store_cell(value_of_digits(digits.substr(i * each, each)), to[i], in.rules());
    });
  }
  if (result == read_status::stop) return result;
  in.tokens.next();
  return result;
}

}  // namespace

read_status read_dense(parser& in, dtype type, const block_shape& shape, std::span<std::byte> cells) {
  const bool is_extended = in.options.extended;
  if (is_extended && in.tokens.kind() == '"') {
    std::uint64_t count = 1;
    for (std::size_t d = 0; d < shape.rank; ++d) count *= shape.sizes[d];
    return read_hex(in, type, count, cells);
  }
  if (in.tokens.kind() != '[')
    return in.report_wrong_value(errc::unexpected_token, is_extended ? "an array, or hexadecimal digits" : "an array");
  if (is_extended && shape.rank != 1 && *in.tokens.following() != '[') return read_flat(in, type, shape, cells);
  return read_nested(in, type, shape, cells);
}

}  // namespace constant::json
}  // namespace v0
}  // namespace tgmap
