// SPDX-License-Identifier: Apache-2.0
#include "reference.hpp"

#include <cbor.h>

namespace tgmap_test {

namespace {

/// RFC 8949, appendix C.
class well_formed_checker {
 public:
  /// `plain`: a copy of the bytes in which text and tags are overwritten.
  well_formed_checker(std::string_view data, const cbor_rules& rules, bytes* plain = nullptr)
      : data_(data), rules_(rules), plain_(plain) {}

  enum class outcome { sound, broken, stop };

  outcome item(bool breakable, unsigned containers) {
    if (at_ == data_.size()) return outcome::broken;
    const unsigned first = byte(), type = first >> 5, info = first & 31;
    std::uint64_t argument = info;
    if (info >= 24 && info <= 27) {
      const std::size_t width = std::size_t{1} << (info - 24);
      if (data_.size() - at_ < width) return outcome::broken;
      argument = get(data_, at_, static_cast<unsigned>(width));
      at_ += width;
    } else if (info >= 28 && info <= 30) {
      return outcome::broken;
    } else if (info == 31) {
      return indefinite(type, breakable, containers);
    }
    switch (type) {
      case 2:
      case 3:
        if (argument > data_.size() - at_) return outcome::broken;
        if (type == 3 && plain_ != nullptr) plain_->replace(at_, argument, argument, 'x');
        at_ += argument;
        return outcome::sound;
      case 4: return items(argument, containers);
      case 5: return argument > UINT64_MAX / 2 ? outcome::broken : items(argument * 2, containers);
      case 6:
        if (info >= 6 && info <= 20 && plain_ != nullptr) (*plain_)[at_ - 1] = '\xc1';
        return tagged(containers);
      case 7:
        if (info >= 25) return outcome::sound;  // floats
        if (info == 24 && argument < 32) return outcome::broken;
        return rules_.all_simple_values || (info >= 20 && info <= 23) ? outcome::sound : outcome::broken;
      default: return outcome::sound;
    }
  }

  std::size_t at() const { return at_; }

 private:
  unsigned byte() { return static_cast<unsigned char>(data_[at_++]); }

  outcome items(std::uint64_t count, unsigned containers) {
    if (containers == rules_.max_containers || count > data_.size() - at_) return outcome::broken;
    for (; count > 0; --count)
      if (item(false, containers + 1) != outcome::sound) return outcome::broken;
    return outcome::sound;
  }

  outcome tagged(unsigned containers) {
    return item(false, containers) == outcome::sound ? outcome::sound : outcome::broken;
  }

  outcome indefinite(unsigned type, bool breakable, unsigned containers) {
    switch (type) {
      case 2:
      case 3:
        for (;;) {
          if (at_ == data_.size()) return outcome::broken;
          const unsigned next = static_cast<unsigned char>(data_[at_]);
          if (next == 0xff) {
            ++at_;
            return outcome::sound;
          }
          if (next >> 5 != type || (next & 31) == 31 || item(false, containers) != outcome::sound)
            return outcome::broken;
        }
      case 4:
      case 5:
        if (containers == rules_.max_containers) return outcome::broken;
        for (unsigned odd = 0;; odd ^= 1) {
          const outcome outcome = item(true, containers + 1);
          if (outcome == outcome::stop) return type == 5 && odd ? outcome::broken : outcome::sound;
          if (outcome == outcome::broken) return outcome;
        }
      case 7: return breakable ? outcome::stop : outcome::broken;
      default: return outcome::broken;
    }
  }

  std::string_view data_;
  cbor_rules rules_;
  bytes* plain_;
  std::size_t at_ = 0;
};

bytes random_head(std::mt19937_64& random, unsigned type, std::uint64_t argument) {
  if (random() % 8 != 0) return cbor::head(type, argument);
  unsigned width = 1;
  while (width < 8 && argument >> (8 * width) != 0) width *= 2;
  while (width < 8 && random() % 2 == 0) width *= 2;
  return cbor::wide_head(type, argument, width);
}

bytes random_bytes(std::mt19937_64& random, std::size_t size) {
  bytes out(size, '\0');
  for (char& c : out) c = static_cast<char>(random());
  return out;
}

bytes random_string(std::mt19937_64& random, unsigned type) {
  const auto piece = [&] {
    const std::size_t size = random() % (random() % 16 == 0 ? 300 : 6);
    return random_head(random, type, size) + random_bytes(random, size);
  };
  if (random() % 5 != 0) return piece();
  bytes out(1, static_cast<char>(type << 5 | 31));
  for (std::size_t n = random() % 4; n > 0; --n) out += piece();
  return out + '\xff';
}

}  // namespace

std::optional<std::size_t> reference_length(std::string_view data, const cbor_rules& rules) {
  well_formed_checker checker(data, rules);
  if (checker.item(false, 0) != well_formed_checker::outcome::sound) return std::nullopt;
  return checker.at();
}

bytes for_libcbor(bytes data) {
  const bytes original = data;
  well_formed_checker(original, {}, &data).item(false, 0);
  return data;
}

std::optional<std::size_t> libcbor_length(std::string_view data) {
  cbor_load_result result{};
  cbor_item_t* item = cbor_load(reinterpret_cast<cbor_data>(data.data()), data.size(), &result);
  if (item != nullptr) cbor_decref(&item);
  if (result.error.code != CBOR_ERR_NONE) return std::nullopt;
  return result.read;
}

bytes random_item(std::mt19937_64& random, unsigned depth) {
  const unsigned type = static_cast<unsigned>(random() % 8);
  if (type < 2) return random_head(random, type, random() >> (random() % 64));
  if (type < 4) return random_string(random, type);
  if (type == 7) {
    switch (random() % 6) {
      case 0: return cbor::half(static_cast<std::uint16_t>(random()));
      case 1: return "\xfa" + random_bytes(random, 4);
      case 2: return "\xfb" + random_bytes(random, 8);
      default: return bytes(1, static_cast<char>(0xf4 + random() % 4));
    }
  }
  if (type == 6) return random_head(random, 6, random() >> (random() % 64)) + random_item(random, depth);
  const std::size_t count = depth == 0 ? 0 : random() % 5, items = type == 5 ? 2 * count : count;
  const bool until_break = random() % 3 == 0;
  bytes out = until_break ? bytes(1, static_cast<char>(type << 5 | 31)) : random_head(random, type, count);
  for (std::size_t i = 0; i < items; ++i) out += random_item(random, depth - 1);
  return until_break ? out + '\xff' : out;
}

bytes mutated(bytes data, std::mt19937_64& random) {
  if (data.empty()) return data;
  const std::size_t at = random() % data.size();
  // Bytes at which the grammar branches, more often than others.
  constexpr std::string_view turning("\x5f\x7f\x9f\xbf\xff\xc1\x80\xa0\x81\xa1\x1b\xf8\xf9\x9b\xbb\x61\x41", 17);
  const char byte = random() % 2 == 0 ? turning[random() % turning.size()] : static_cast<char>(random());
  switch (random() % 5) {
    case 0: data.erase(at, 1); break;
    case 1: data.insert(at, 1, byte); break;
    case 2: data.resize(at); break;
    default: data[at] = byte; break;
  }
  return data;
}

bytes from_hex(std::string_view digits) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  bytes out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(digit(digits[i]) * 16 + digit(digits[i + 1]));
  return out;
}

bytes to_hex(std::string_view data) {
  bytes out;
  for (const char c : data) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[c & 15];
  }
  return out;
}

}  // namespace tgmap_test
