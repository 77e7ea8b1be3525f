// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <random>
#include <set>
#include <string_view>
#include <support/samples.hpp>
#include <vector>

namespace tgmap_test {

/// Makes metadata of all kinds: nested, repeated, with dots, in pieces, too long, of every type.
class random_metadata {
 public:
  explicit random_metadata(unsigned seed) : random_(seed) {}

  bytes map(unsigned depth, bool is_odd) {
    std::vector<cbor::pair> pairs;
    for (unsigned k = 0; k < 1 + random_() % 4; ++k) pairs.push_back(pair(depth, is_odd));
    if (!is_odd) {
      std::set<bytes> met;
      std::erase_if(pairs, [&](const cbor::pair& each) { return !met.insert(each.first).second; });
    }
    return is_odd && random_() % 4 == 0 ? cbor::map_until_break(pairs) : cbor::map(pairs);
  }

  bytes message() {
    const bool is_odd = random_() % 6 == 0;
    message_spec out{.version = random_() % 4 == 0 ? 2 : 3};
    for (unsigned j = 0; j < random_() % 4; ++j) {
      out.objects.push_back(bytes_object("abcd"));
      out.base.push_back(map(0, is_odd));
      if (random_() % 8 == 0) out.objects.back().preceder = map(0, is_odd);
      if (random_() % 4 == 0) out.objects.back().more = {cbor::key("name", descriptor_name())};
    }
    if (random_() % 2 == 0) out.writing = writing::streamed;
    for (unsigned k = 0; k < random_() % 3; ++k) out.extra.push_back(pair(0, is_odd));
    if (random_() % 5 == 0) out.top.push_back(cbor::key("b", value(0, is_odd)));
    return tgmap_test::message(out);
  }

 private:
  /// Descriptors have no tags.
  bytes descriptor_name() {
    const std::array all{cbor::text("2t"), cbor::text("in the descriptor"), cbor::integer(1),
                         cbor::text_in_pieces({"2", "t"}), cbor::text(std::string(400, 'x'))};
    return all[random_() % all.size()];
  }

  std::string_view name(bool is_odd) {
    static constexpr std::array plain{"a", "b", "c", "step", "mars", "dtype", "version", "title", "extra", "name"};
    static constexpr std::array odd{"a.b", "a", "b", "x[0]", "", "@offset", "_reserved_"};
    return is_odd && random_() % 3 == 0 ? odd[random_() % odd.size()] : plain[random_() % plain.size()];
  }

  /// The name comes first with every compiler, so that all test the same archives.
  cbor::pair pair(unsigned depth, bool is_odd) {
    const std::string_view key = name(is_odd);
    return cbor::key(key, value(depth, is_odd));
  }

  bytes value(unsigned depth, bool is_odd) {
    switch (random_() % (depth < 3 ? 16 : 13)) {
      case 0: return cbor::text("2t");
      case 1: return cbor::text("10");
      case 2: return cbor::integer(static_cast<int>(random_() % 4));
      case 3: return cbor::real(static_cast<double>(random_() % 4));
      case 4: return cbor::single(1.5F);
      case 5: return cbor::boolean(random_() % 2 == 0);
      case 6: return cbor::null();
      case 7: return cbor::text(std::string(random_() % 2 == 0 ? 200 : 400, 'x'));
      case 8: return cbor::numbers({1, 2});
      case 9: return cbor::blob("abc");
      case 10: return cbor::tag(1, cbor::integer(7));
      case 11: return is_odd ? cbor::text_in_pieces({"2", "t"}) : cbor::integer(-3);
      case 12: return cbor::half(0x7e00);
      default: return map(depth + 1, is_odd);
    }
  }

  std::mt19937 random_;
};

}  // namespace tgmap_test
