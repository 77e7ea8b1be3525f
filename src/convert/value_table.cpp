// SPDX-License-Identifier: Apache-2.0
#include "convert/value_table.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tgmap/dtype.hpp>

#include "convert/raw.hpp"

namespace tgmap::convert {

namespace {

constexpr std::size_t flush_size = 64 << 10;

/// A `text_writer` collects text and passes it on in large pieces.
class text_writer {
 public:
  explicit text_writer(const write_function& to) : to_(to) { text_.reserve(flush_size + 1024); }

  void put(char c) { text_ += c; }
  void put(std::string_view text) { text_ += text; }

  template <class Number>
  void put_number(Number value) {
    std::array<char, 64> digits;
    const auto [end, problem] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text_.append(digits.data(), problem == std::errc{} ? end : digits.data());
  }

  void flush_if_full() {
    if (text_.size() >= flush_size) flush();
  }
  void flush() {
    to_(std::as_bytes(std::span(text_)));
    text_.clear();
  }

 private:
  const write_function& to_;
  std::string text_{};
};

std::string_view non_finite_name(double value) noexcept {
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

template <class Number>
void put_finite_or_name(text_writer& to, Number value, std::string_view quote) {
  if constexpr (std::floating_point<Number>) {
    if (!std::isfinite(value)) {
      to.put(quote);
      to.put(non_finite_name(value));
      return to.put(quote);
    }
  }
  to.put_number(value);
}

/// The syntax of values in one form of output.
struct value_style {
  std::string_view quote;                   ///< around NaN and infinities
  std::string_view before, between, after;  ///< around and between the parts of a complex value
};

constexpr value_style csv_style{.quote = "", .before = "", .between = ",", .after = ""};
constexpr value_style column_style{.quote = "", .before = "", .between = " ", .after = ""};
constexpr value_style json_style{.quote = "\"", .before = "[", .between = ",", .after = "]"};

using put_value_function = void (*)(text_writer&, const std::byte*, const value_style&);

template <class Stored, class Printed = Stored>
void put_real(text_writer& to, const std::byte* from, const value_style& style) {
  Stored value;
  std::memcpy(&value, from, sizeof value);
  put_finite_or_name(to, static_cast<Printed>(value), style.quote);
}

template <class Part>
void put_complex(text_writer& to, const std::byte* from, const value_style& style) {
  to.put(style.before);
  put_real<Part>(to, from, style);
  to.put(style.between);
  put_real<Part>(to, from + sizeof(Part), style);
  to.put(style.after);
}

put_value_function put_value_of(dtype type) noexcept {
  switch (type) {
    case dtype::float16: return put_real<float16, float>;
    case dtype::bfloat16: return put_real<bfloat16, float>;
    case dtype::float32: return put_real<float>;
    case dtype::float64: return put_real<double>;
    case dtype::complex64: return put_complex<float>;
    case dtype::complex128: return put_complex<double>;
    case dtype::int8: return put_real<std::int8_t, int>;
    case dtype::int16: return put_real<std::int16_t>;
    case dtype::int32: return put_real<std::int32_t>;
    case dtype::int64: return put_real<std::int64_t>;
    case dtype::uint16: return put_real<std::uint16_t>;
    case dtype::uint32: return put_real<std::uint32_t>;
    case dtype::uint64: return put_real<std::uint64_t>;
    case dtype::uint8:
    case dtype::bitmask: break;  // write_raw writes a bit as a byte
  }
  return put_real<std::uint8_t, int>;
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

void put_coordinate(text_writer& to, const coordinate& of, const element_counter& element) {
  const std::uint64_t i = of.dimension ? element[*of.dimension] : element.number();
  if (of.values.empty())
    to.put_number(of.first + i * of.step);
  else
    put_finite_or_name(to, of.values[static_cast<std::size_t>(i)], "");
}

void write_rows(const value_table& table, std::string_view before_header, char separator, const value_style& style,
                const write_function& write) {
  text_writer to(write);
  to.put(before_header);
  for (const coordinate& each : table.coordinates) {
    to.put(each.name);
    to.put(separator);
  }
  if (is_complex(table.elements.dtype())) {
    to.put("real");
    to.put(separator);
    to.put("imaginary\n");
  } else {
    to.put("value\n");
  }

  const put_value_function put_value = put_value_of(table.elements.dtype());
  element_counter counter(table.shape);
  for_each_element(table.elements, [&](const std::byte* element) {
    for (const coordinate& each : table.coordinates) {
      put_coordinate(to, each, counter);
      to.put(separator);
    }
    put_value(to, element, style);
    to.put('\n');
    to.flush_if_full();
    counter.advance();
  });
  to.flush();
}

/// A `nested_arrays` writes values as nested JSON arrays. `put_next` writes one value.
class nested_arrays {
 public:
  nested_arrays(text_writer& to, std::span<const std::uint64_t> shape) : to_(to), shape_(shape), counter_(shape) {}

  template <class Put>
  void add(const Put& put_next) {
    if (counter_.number() == 0)
      to_.put(std::string(shape_.size(), '['));
    else if (completed_dimensions_ == 0)
      to_.put(',');
    else
      to_.put(std::string(completed_dimensions_, ']') + ',' + std::string(completed_dimensions_, '['));
    put_next();
    completed_dimensions_ = counter_.advance();
    to_.flush_if_full();
  }

  /// Ends the arrays. Without elements, one empty array stands for all dimensions.
  void finish() { to_.put(counter_.number() == 0 ? "[]" : std::string(shape_.size(), ']')); }

 private:
  text_writer& to_;
  std::span<const std::uint64_t> shape_;
  element_counter counter_;
  std::size_t completed_dimensions_ = 0;
};

void put_doubles(text_writer& to, std::span<const double> values, std::span<const std::uint64_t> shape) {
  nested_arrays arrays(to, shape);
  for (const double each : values) arrays.add([&] { put_finite_or_name(to, each, json_style.quote); });
  arrays.finish();
}

void put_json_coordinate(text_writer& to, const coordinate& of, std::span<const std::uint64_t> shape) {
  to.put("{\"name\":" + nlohmann::json(of.name).dump());
  if (of.dimension) to.put(",\"dimension\":" + std::to_string(*of.dimension));
  if (of.values.empty()) {
    to.put(",\"first\":" + std::to_string(of.first) + ",\"step\":" + std::to_string(of.step));
  } else {
    to.put(",\"values\":");
    put_doubles(to, of.values, of.dimension ? shape.subspan(*of.dimension, 1) : shape);
  }
  to.put('}');
}

}  // namespace

void write_csv(const value_table& table, const write_function& write) { write_rows(table, "", ',', csv_style, write); }

void write_columns(const value_table& table, const write_function& write) {
  write_rows(table, "# ", ' ', column_style, write);
}

void write_json(const value_table& table, std::string_view members, const write_function& write) {
  text_writer to(write);
  to.put('{');
  to.put(members);
  to.put("\"dtype\":\"" + std::string(to_string_view(table.elements.dtype())) + "\",\"shape\":[");
  for (std::size_t d = 0; d < table.shape.size(); ++d) to.put((d == 0 ? "" : ",") + std::to_string(table.shape[d]));
  to.put("],\"coordinates\":[");
  for (std::size_t i = 0; i < table.coordinates.size(); ++i) {
    if (i != 0) to.put(',');
    put_json_coordinate(to, table.coordinates[i], table.shape);
  }
  to.put("],\"values\":");
  const put_value_function put_value = put_value_of(table.elements.dtype());
  nested_arrays arrays(to, table.shape);
  for_each_element(table.elements,
                   [&](const std::byte* element) { arrays.add([&] { put_value(to, element, json_style); }); });
  arrays.finish();
  to.put("}\n");
  to.flush();
}

}  // namespace tgmap::convert
