// SPDX-License-Identifier: Apache-2.0
#include "meaning.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>

#include "reference.hpp"

namespace tgmap_test {

namespace {

class meaning_reader {
 public:
  explicit meaning_reader(std::string_view data) : data_(data) {}

  bytes item() {
    const unsigned first = byte(), type = first >> 5, info = first & 31;
    const bool open = info == 31;
    std::uint64_t argument = info;
    if (info >= 24 && info <= 27) {
      const unsigned width = 1u << (info - 24);
      argument = get(data_, at_, width);
      at_ += width;
    }
    switch (type) {
      case 0: return "+" + std::to_string(argument);
      case 1: return "-" + std::to_string(argument);
      case 2: return "b(" + to_hex(joined(argument, open)) + ")";
      case 3: return "t(" + to_hex(repaired(joined(argument, open))) + ")";
      case 4: {
        bytes out = "[";
        for (std::uint64_t i = 0; open ? !at_break() : i < argument; ++i) out += item() + ",";
        return out + "]";
      }
      case 5: {
        std::map<bytes, bytes> pairs;
        for (std::uint64_t i = 0; open ? !at_break() : i < argument; ++i) {
          const bytes key = item();
          pairs[key] = item();
        }
        bytes out = "{";
        for (const auto& [key, value] : pairs) out += key + ":" + value + ",";
        return out + "}";
      }
      case 6: return "#" + std::to_string(argument) + item();
      default: break;
    }
    if (info == 20) return "false";
    if (info == 21) return "true";
    if (info == 25) return number(half(static_cast<unsigned>(argument)));
    if (info == 26) return number(std::bit_cast<float>(static_cast<std::uint32_t>(argument)));
    if (info == 27) return number(std::bit_cast<double>(argument));
    return "null";
  }

 private:
  unsigned byte() { return static_cast<unsigned char>(data_.at(at_++)); }

  bool at_break() {
    if (data_.at(at_) != '\xff') return false;
    ++at_;
    return true;
  }

  bytes joined(std::uint64_t length, bool open) {
    if (!open) {
      at_ += length;
      return bytes(data_.substr(at_ - length, length));
    }
    bytes out;
    while (!at_break()) {
      std::uint64_t size = byte() & 31;
      if (size >= 24) {
        const unsigned width = 1u << (size - 24);
        size = get(data_, at_, width);
        at_ += width;
      }
      out += joined(size, false);
    }
    return out;
  }

  /// RFC 8949, appendix D.
  static double half(unsigned bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                             : exponent != 31 ? std::ldexp(fraction + 1024, exponent - 25)
                             : fraction == 0  ? INFINITY
                                              : NAN;
    return bits & 0x8000 ? -magnitude : magnitude;
  }

  static bytes number(double value) {
    char out[64];
    std::snprintf(out, sizeof(out), "f%a", std::isnan(value) ? 0.0 : value);
    return std::isnan(value) ? "nan" : out;
  }

  /// Decodes code points: not overlong, not a surrogate, not beyond the last one.
  static bytes repaired(const bytes& text) {
    bytes out;
    for (std::size_t at = 0; at < text.size();) {
      const auto lead = static_cast<unsigned char>(text[at]);
      const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
      bool good = length != 0 && text.size() - at >= length;
      std::uint32_t point = length == 1 ? lead : lead & (0xffu >> (length + 1));
      for (std::size_t i = 1; good && i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[at + i]);
        good = next >> 6 == 2;
        point = point << 6 | (next & 63u);
      }
      constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
      good = good && point >= least[length] && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000);
      out += good ? text.substr(at, length) : "\xef\xbf\xbd";
      at += good ? length : 1;
    }
    return out;
  }

  std::string_view data_;
  std::size_t at_ = 0;
};

}  // namespace

bytes meaning_of(std::string_view item) { return meaning_reader(item).item(); }

}  // namespace tgmap_test
