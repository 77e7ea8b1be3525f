// SPDX-License-Identifier: Apache-2.0
#include "constant/constant_texts.hpp"

#include <charconv>
#include <random>

namespace tgmap_bench {

namespace {

class text_maker {
 public:
  /// Appends a float between -1 and 1 with the fewest digits.
  void number() {
    const auto bits = static_cast<std::int32_t>(random_());
    append(static_cast<float>(bits) * 0x1p-31f);
  }
  void label(std::uint64_t i) {
    out += "\"label_";
    append(i * 7919 % 100'000'007);
    out += '"';
  }
  template <class Number>
  void append(Number value) {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  /// Removes the comma after the last element.
  std::string finish(const char* end) {
    if (out.back() == ',') out.pop_back();
    return std::move(out += end);
  }
  std::string out{};

 private:
  std::mt19937 random_{20};
};

}  // namespace

std::string nested_text(std::uint64_t rows, std::uint64_t columns) {
  text_maker text;
  text.out = "{\"values\":[";
  for (std::uint64_t x = 0; x < rows; ++x) {
    text.out += '[';
    for (std::uint64_t y = 0; y < columns; ++y) {
      text.number();
      text.out += ',';
    }
    text.out.back() = ']';
    text.out += ',';
  }
  return text.finish("]}");
}

std::string verbose_text(std::uint64_t rows, std::uint64_t columns) {
  text_maker text;
  text.out = "{\"cells\":[";
  for (std::uint64_t x = 0; x < rows; ++x)
    for (std::uint64_t y = 0; y < columns; ++y) {
      text.out += "{\"address\":{\"x\":\"";
      text.append(x);
      text.out += "\",\"y\":\"";
      text.append(y);
      text.out += "\"},\"value\":";
      text.number();
      text.out += "},";
    }
  return text.finish("]}");
}

std::string blocks_text(std::uint64_t blocks, std::uint64_t cells) {
  text_maker text;
  text.out = "{\"blocks\":{";
  for (std::uint64_t i = 0; i < blocks; ++i) {
    text.label(i);
    text.out += ":[";
    for (std::uint64_t y = 0; y < cells; ++y) {
      text.number();
      text.out += ',';
    }
    text.out.back() = ']';
    text.out += ',';
  }
  return text.finish("}}");
}

std::string labels_text(std::uint64_t labels) {
  text_maker text;
  text.out = "{\"cells\":{";
  for (std::uint64_t i = 0; i < labels; ++i) {
    text.label(i);
    text.out += ':';
    text.number();
    text.out += ',';
  }
  return text.finish("}}");
}

std::string verbose_labels_text(std::uint64_t labels) {
  text_maker text;
  text.out = "{\"cells\":[";
  for (std::uint64_t i = 0; i < labels; ++i) {
    text.out += "{\"address\":{\"x\":";
    text.label(i);
    text.out += "},\"value\":";
    text.number();
    text.out += "},";
  }
  return text.finish("]}");
}

}  // namespace tgmap_bench
