// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <support/cbor.hpp>

namespace tgmap_test {

/// The rules of Tensogram for the reference below.
struct cbor_rules {
  unsigned max_containers = 256;
  bool all_simple_values = false;
};

/// Returns the length of the first item of `data` by the pseudocode of RFC 8949 appendix C (recursive, slow, simple);
/// nothing if it is not well-formed or against the rules.
std::optional<std::size_t> reference_length(std::string_view data, const cbor_rules&);

/// Returns a valid item in the form that cbor_load accepts, with the same length: libcbor refuses text that is not
/// UTF-8, which we repair, and (0.8) the tags 6 to 20. Text becomes x, these tags become another.
bytes for_libcbor(bytes data);

/// Returns the length of the first item by cbor_load of libcbor. Only for items whose counts are bounded by the bytes
/// present, because it allocates.
std::optional<std::size_t> libcbor_length(std::string_view data);

/// Returns a random well-formed item of any kind, canonical or not.
bytes random_item(std::mt19937_64&, unsigned depth);

/// Returns `data` with one byte changed, removed or added, or its end cut off.
bytes mutated(bytes data, std::mt19937_64&);

/// Converts hexadecimal digits to bytes, and back.
bytes from_hex(std::string_view);
bytes to_hex(std::string_view);

}  // namespace tgmap_test
