// SPDX-License-Identifier: Apache-2.0
#include "constant/constant_texts.hpp"

#include <charconv>
#include <random>

namespace tgmap_bench {

namespace {

class text_maker {
 public:
  /// Returns a float between -1 and 1 with the fewest digits.
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
  text_maker make;
  make.out = "{\"values\":[";
  for (std::uint64_t x = 0; x < rows; ++x) {
    make.out += '[';
    for (std::uint64_t y = 0; y < columns; ++y) {
      make.number();
      make.out += ',';
    }
    make.out.back() = ']';
    make.out += ',';
  }
  return make.finish("]}");
}

std::string verbose_text(std::uint64_t rows, std::uint64_t columns) {
  text_maker make;
  make.out = "{\"cells\":[";
  for (std::uint64_t x = 0; x < rows; ++x)
    for (std::uint64_t y = 0; y < columns; ++y) {
      make.out += "{\"address\":{\"x\":\"";
      make.append(x);
      make.out += "\",\"y\":\"";
      make.append(y);
      make.out += "\"},\"value\":";
      make.number();
      make.out += "},";
    }
  return make.finish("]}");
}

std::string blocks_text(std::uint64_t blocks, std::uint64_t cells) {
  text_maker make;
  make.out = "{\"blocks\":{";
  for (std::uint64_t i = 0; i < blocks; ++i) {
    make.label(i);
    make.out += ":[";
    for (std::uint64_t y = 0; y < cells; ++y) {
      make.number();
      make.out += ',';
    }
    make.out.back() = ']';
    make.out += ',';
  }
  return make.finish("}}");
}

std::string labels_text(std::uint64_t labels) {
  text_maker make;
  make.out = "{\"cells\":{";
  for (std::uint64_t i = 0; i < labels; ++i) {
    make.label(i);
    make.out += ':';
    make.number();
    make.out += ',';
  }
  return make.finish("}}");
}

std::string verbose_labels_text(std::uint64_t labels) {
  text_maker make;
  make.out = "{\"cells\":[";
  for (std::uint64_t i = 0; i < labels; ++i) {
    make.out += "{\"address\":{\"x\":";
    make.label(i);
    make.out += "},\"value\":";
    make.number();
    make.out += "},";
  }
  return make.finish("]}");
}

}  // namespace tgmap_bench
