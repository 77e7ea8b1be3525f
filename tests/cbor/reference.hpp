// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <support/cbor.hpp>

namespace tgmap_test {

/// What Tensogram allows of CBOR, for the reference below.
struct cbor_rules {
  unsigned most_containers = 256;
  bool all_simple_values = false;
};

/// Bytes of the first item of `data`, by the pseudocode of RFC 8949 appendix C (recursive, slow, simple); nothing when
/// it is not well-formed or against the rules.
std::optional<std::size_t> reference_length(std::string_view data, const cbor_rules&);

/// A sound item as cbor_load accepts it, byte for byte as long: libcbor refuses text that is no UTF-8, which we repair,
/// and (0.8) the tags 6 to 20. Text becomes x, these tags become another.
bytes for_libcbor(bytes data);

/// The length of the first item by libcbor's cbor_load. Only for items whose counts the bytes present bound: it
/// allocates.
std::optional<std::size_t> libcbor_length(std::string_view data);

/// A random well-formed item of every kind there is, canonical or not.
bytes random_item(std::mt19937_64&, unsigned depth);

/// `data` with one byte changed, removed, added, or its end cut off.
bytes mutated(bytes data, std::mt19937_64&);

/// Hexadecimal digits as bytes, and back.
bytes from_hex(std::string_view);
bytes to_hex(std::string_view);

}  // namespace tgmap_test
