// SPDX-License-Identifier: Apache-2.0
// Bodies of frames that hold CBOR, and what they say.
#pragma once

#include <cstdint>
#include <string>
#include <tgmap/options.hpp>

#include "validate/cbor_check.hpp"
#include "validate/item.hpp"
#include "validate/raw_message.hpp"

namespace tgmap::checks {

/// A body as CBOR: the item, or what is wrong with the bytes. Valid until the next load of the message.
struct body {
  checks::item item{};
  cbor_report report{};
  std::string problem{};  ///< empty: sound
  bool too_large = false;
};

/// Errors: file_shrank. A body beyond `max_metadata_bytes` is not read.
body load_body(raw_message&, std::uint64_t at, std::uint64_t size, const open_options&, bool form, failure&);

/// An index frame (§3.1): arrays of numbers where they lie, since their length is the file's.
struct index_lists {
  item offsets{}, lengths{};  ///< may be absent
  std::uint64_t offset_count = 0, length_count = 0;
};
/// Returns what is wrong with it; empty: nothing.
std::string read_index(item, int version, index_lists& out);

/// A hash frame (§3.2).
struct hash_list {
  std::string algorithm;
  item hashes{};  ///< an array of text; may be absent
  std::uint64_t count = 0;
};
/// Returns what is wrong with it; empty: nothing.
std::string read_hashes(item, int version, hash_list& out);

/// All keys of a map are text.
bool has_text_keys(item map);

}  // namespace tgmap::checks
