// SPDX-License-Identifier: Apache-2.0
// Loads and checks CBOR: bodies of frames, and descriptors. Reads index and hash frames.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tgmap/options.hpp>

#include "validate/cbor/cbor_check.hpp"
#include "validate/cbor/cbor_item.hpp"
#include "validate/findings.hpp"
#include "validate/message_bytes.hpp"

namespace tgmap::validation {

/// A CBOR body that was loaded and checked. Lifetime: until the next load from the message.
struct cbor_body {
  cbor_item root{};
  cbor_report report{};
  std::string problem{};  ///< why there is no `root`; empty if there is one
  bool is_too_large = false;
};

/// Loads and checks a body. Does not read one of more than `max_metadata_bytes`. Errors: file_shrank, of the operating
/// system.
cbor_body load_cbor(message_bytes&, std::uint64_t at, std::uint64_t size, const open_options&, bool canonical,
                    failure&);

/// Reports each key that is repeated in a map, at any depth of `root`. Keys are equal if their values are, in any
/// encoding. `name` is what the text of the finding calls the item. Allocates memory for the keys of nested maps.
/// Complexity: O(n log n) in bytes. Errors: throws std::bad_alloc.
void report_duplicate_keys(cbor_item root, std::string_view name, location where, message_findings&);

/// Content of an index frame. The arrays stay in place, because a file can state any number of elements. Spec: §3.1.
struct index_lists {
  cbor_item offsets{}, lengths{};  ///< may be absent
  std::uint64_t offset_count = 0, length_count = 0;
};

/// Reads an index. Returns the problem; empty if there is none.
std::string read_index(cbor_item, int version, index_lists& out);

/// Content of a hash frame. Spec: §3.2.
struct hash_list {
  std::string algorithm;
  cbor_item hashes{};  ///< an array of text; may be absent
  std::uint64_t count = 0;
};

/// Reads a hash list. Returns the problem; empty if there is none.
std::string read_hash_list(cbor_item, int version, hash_list& out);

}  // namespace tgmap::validation
