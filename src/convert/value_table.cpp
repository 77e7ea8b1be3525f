// SPDX-License-Identifier: Apache-2.0
#include "convert/value_table.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <tgmap/dtype.hpp>

#include "convert/raw.hpp"

namespace tgmap::convert {

namespace {

using json_writer = json_text::writer<>;

constexpr std::size_t flush_size = 64 << 10;

/// A `text_writer` collects text and passes it on in large pieces.
class text_writer final : public core::text_sink {
 public:
  explicit text_writer(const write_function& to) : to_(to) { text_.reserve(flush_size + 1024); }

  bool take(std::string_view text) override {
    text_ += text;
    if (text_.size() >= flush_size) flush();
    return true;
  }
  void flush() {
    to_(std::as_bytes(std::span(text_)));
    text_.clear();
  }

 private:
  const write_function& to_;
  std::string text_{};
};

/// Appends a number with the fewest digits that identify it in its type.
template <class Number>
void append_number(std::string& to, Number value) {
  std::array<char, 64> digits;
  to.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

std::string_view non_finite_name(double value) noexcept {
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

template <class Number>
void append_finite_or_name(std::string& to, Number value, std::string_view quote) {
  if constexpr (std::floating_point<Number>)
    if (!std::isfinite(value)) {
      to.append(quote).append(non_finite_name(value)).append(quote);
      return;
    }
  append_number(to, value);
}

/// The syntax of values in one form of output.
struct value_style {
  std::string_view quote;                   ///< around NaN and infinities
  std::string_view before, between, after;  ///< around and between the parts of a complex value
};

constexpr value_style csv_style{.quote = "", .before = "", .between = ",", .after = ""};
constexpr value_style column_style{.quote = "", .before = "", .between = " ", .after = ""};
constexpr value_style json_style{.quote = "\"", .before = "[", .between = ",", .after = "]"};

using append_value_function = void (*)(std::string&, const std::byte*, const value_style&);

template <class Stored, class Printed = Stored>
void append_real(std::string& to, const std::byte* from, const value_style& style) {
  Stored value;
  std::memcpy(&value, from, sizeof value);
  append_finite_or_name(to, static_cast<Printed>(value), style.quote);
}

template <class Part>
void append_complex(std::string& to, const std::byte* from, const value_style& style) {
  to += style.before;
  append_real<Part>(to, from, style);
  to += style.between;
  append_real<Part>(to, from + sizeof(Part), style);
  to += style.after;
}

append_value_function append_value_of(dtype type) noexcept {
  switch (type) {
    case dtype::float16: return append_real<float16, float>;
    case dtype::bfloat16: return append_real<bfloat16, float>;
    case dtype::float32: return append_real<float>;
    case dtype::float64: return append_real<double>;
    case dtype::complex64: return append_complex<float>;
    case dtype::complex128: return append_complex<double>;
    case dtype::int8: return append_real<std::int8_t, int>;
    case dtype::int16: return append_real<std::int16_t>;
    case dtype::int32: return append_real<std::int32_t>;
    case dtype::int64: return append_real<std::int64_t>;
    case dtype::uint16: return append_real<std::uint16_t>;
    case dtype::uint32: return append_real<std::uint32_t>;
    case dtype::uint64: return append_real<std::uint64_t>;
    case dtype::uint8:
    case dtype::bitmask: break;  // write_raw writes a bit as a byte
  }
  return append_real<std::uint8_t, int>;
}

/// An `element_counter` steps through the indices of a shape in C order.
class element_counter {
 public:
  explicit element_counter(std::span<const std::uint64_t> shape) : shape_(shape), index_(shape.size()) {}

  std::uint64_t number() const noexcept { return number_; }
  std::uint64_t operator[](std::size_t dimension) const noexcept { return index_[dimension]; }

  /// Moves to the next element. Returns the number of dimensions whose index became 0.
  std::size_t advance() noexcept {
    ++number_;
    std::size_t d = shape_.size();
    for (; d-- > 0;) {
      if (++index_[d] < shape_[d]) break;
      index_[d] = 0;
    }
    return shape_.size() - 1 - d;
  }

 private:
  std::span<const std::uint64_t> shape_;
  std::vector<std::uint64_t> index_;
  std::uint64_t number_ = 0;
};

/// Calls `take` with the little-endian bytes of each element in C order.
template <class Take>
void for_each_element(const tensor& elements, const Take& take) {
  const std::size_t size = elements.dtype() == dtype::bitmask ? 1 : element_size(elements.dtype());
  write_raw(elements, [&](std::span<const std::byte> piece) {
    for (; piece.size() >= size; piece = piece.subspan(size)) take(piece.data());
  });
}

bool is_complex(dtype type) noexcept { return type == dtype::complex64 || type == dtype::complex128; }

void append_coordinate(std::string& to, const coordinate& of, const element_counter& element) {
  const std::uint64_t i = of.dimension ? element[*of.dimension] : element.number();
  if (of.values.empty())
    append_number(to, of.first + i * of.step);
  else
    append_finite_or_name(to, of.values[static_cast<std::size_t>(i)], "");
}

void write_rows(const value_table& table, std::string_view before_header, char separator, const value_style& style,
                const write_function& write) {
  text_writer to(write);
  std::string row(before_header);
  for (const coordinate& each : table.coordinates) (row += each.name) += separator;
  if (is_complex(table.elements.dtype()))
    ((row += "real") += separator) += "imaginary\n";
  else
    row += "value\n";
  to.take(row);

  const append_value_function append_value = append_value_of(table.elements.dtype());
  element_counter counter(table.shape);
  for_each_element(table.elements, [&](const std::byte* element) {
    row.clear();
    for (const coordinate& each : table.coordinates) {
      append_coordinate(row, each, counter);
      row += separator;
    }
    append_value(row, element, style);
    row += '\n';
    to.take(row);
    counter.advance();
  });
  to.flush();
}

/// A `nested_arrays` writes values as nested JSON arrays.
class nested_arrays {
 public:
  nested_arrays(json_writer& to, std::span<const std::uint64_t> shape)
      : to_(to), rank_(shape.size()), counter_(shape), completed_(rank_) {}

  void add(std::string_view value) {
    if (counter_.number() != 0) end(completed_);
    for (std::size_t d = 0; d < completed_; ++d) to_.begin_array();
    to_.raw(value);
    completed_ = counter_.advance();
  }

  /// Ends the arrays. Without elements, one empty array stands for all dimensions.
  void finish() {
    if (counter_.number() == 0) to_.begin_array();
    end(counter_.number() == 0 ? 1 : rank_);
  }

 private:
  void end(std::size_t dimensions) {
    for (; dimensions != 0; --dimensions) to_.end_array();
  }

  json_writer& to_;
  std::size_t rank_;
  element_counter counter_;
  std::size_t completed_;  ///< dimensions that begin again with the next value
};

void put_doubles(json_writer& to, std::span<const double> values, std::span<const std::uint64_t> shape) {
  nested_arrays arrays(to, shape);
  std::string text;
  for (const double each : values) {
    text.clear();
    append_finite_or_name(text, each, json_style.quote);
    arrays.add(text);
  }
  arrays.finish();
}

void put_coordinate(json_writer& to, const coordinate& of, std::span<const std::uint64_t> shape) {
  to.begin_object();
  to.key("name").string(of.name);
  if (of.dimension) to.key("dimension").integer(*of.dimension);
  if (of.values.empty()) {
    to.key("first").integer(of.first);
    to.key("step").integer(of.step);
  } else {
    put_doubles(to.key("values"), of.values, of.dimension ? shape.subspan(*of.dimension, 1) : shape);
  }
  to.end_object();
}

void put_values(json_writer& to, const value_table& table) {
  const append_value_function append_value = append_value_of(table.elements.dtype());
  nested_arrays arrays(to, table.shape);
  std::string text;
  for_each_element(table.elements, [&](const std::byte* element) {
    text.clear();
    append_value(text, element, json_style);
    arrays.add(text);
  });
  arrays.finish();
}

}  // namespace

void write_csv(const value_table& table, const write_function& write) { write_rows(table, "", ',', csv_style, write); }

void write_columns(const value_table& table, const write_function& write) {
  write_rows(table, "# ", ' ', column_style, write);
}

void write_json(const value_table& table, const put_members& put_first, const write_function& write) {
  text_writer text(write);
  json_writer to(text, json_text::ascii_style);
  to.begin_object();
  if (put_first) put_first(to);
  to.key("dtype").string(to_string_view(table.elements.dtype()));
  to.key("shape").begin_array();
  for (const std::uint64_t each : table.shape) to.integer(each);
  to.end_array();
  to.key("coordinates").begin_array();
  for (const coordinate& each : table.coordinates) put_coordinate(to, each, table.shape);
  to.end_array();
  put_values(to.key("values"), table);
  to.end_object();
  text.take("\n");
  text.flush();
}

}  // namespace tgmap::convert
