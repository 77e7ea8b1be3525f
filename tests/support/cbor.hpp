// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <support/bytes.hpp>
#include <utility>
#include <vector>

/// A CBOR writer for tests: each function returns one encoded item. The result need not be canonical.
namespace tgmap_test::cbor {

using pair = std::pair<bytes, bytes>;  ///< key and value, both encoded

bytes head(unsigned major_type, std::uint64_t argument);
bytes wide_head(unsigned major_type, std::uint64_t argument, unsigned width);  ///< of 1, 2, 4 or 8 argument bytes

bytes integer(std::int64_t);
bytes unsigned_integer(std::uint64_t);
bytes negative(std::uint64_t n);  ///< -1 - n
bytes text(std::string_view);
bytes blob(std::string_view);
bytes boolean(bool);
bytes null();
bytes undefined();
bytes half(std::uint16_t bits);
bytes single(float);
bytes real(double);  ///< always eight bytes
bytes tag(std::uint64_t number, const bytes& item);

bytes array(const std::vector<bytes>& items);
bytes map(const std::vector<pair>& pairs);
bytes numbers(const std::vector<std::uint64_t>& items);  ///< an array of them

bytes array_until_break(const std::vector<bytes>& items);
bytes map_until_break(const std::vector<pair>& pairs);
bytes text_in_pieces(const std::vector<std::string_view>& pieces);
bytes blob_in_pieces(const std::vector<std::string_view>& pieces);

/// Returns a pair whose key is text.
pair key(std::string_view name, bytes value);

/// Returns `depth` nested arrays around `core`.
bytes nested(unsigned depth, const bytes& core);

}  // namespace tgmap_test::cbor
