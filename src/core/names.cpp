// SPDX-License-Identifier: Apache-2.0
// Names of enumerators, as they stand in files or as people write them.
#include <array>
#include <tgmap/descriptor.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/message.hpp>
#include <tgmap/query/selection.hpp>

namespace tgmap {
inline namespace v0 {

std::string_view to_string_view(cbor_kind k) noexcept {
  constexpr std::array<std::string_view, 9> names{"null",  "boolean", "integer", "floating", "text",
                                                  "bytes", "array",   "map",     "tag"};
  return names[static_cast<std::size_t>(k)];
}

std::string_view to_string_view(io_mode mode) noexcept {
  constexpr std::array<std::string_view, 3> names{"automatic", "map", "read"};
  return names[static_cast<std::size_t>(mode)];
}

std::string_view to_string_view(compression which) noexcept {
  constexpr std::array<std::string_view, 10> names{"none", "szip", "zstd", "lz4",     "blosc2",
                                                   "zfp",  "sz3",  "rle",  "roaring", "other"};
  return names[static_cast<std::size_t>(which)];
}

std::string_view to_string_view(byte_order order) noexcept { return order == byte_order::big ? "big" : "little"; }

std::string_view to_string_view(mask_kind k) noexcept {
  constexpr std::array<std::string_view, 3> names{"nan", "inf+", "inf-"};
  return names[static_cast<std::size_t>(k)];
}

std::string_view to_string_view(hash_result state) noexcept {
  constexpr std::array<std::string_view, 4> names{"match", "mismatch", "absent", "unsupported"};
  return names[static_cast<std::size_t>(state)];
}

std::string_view to_string_view(index_location layout) noexcept {
  constexpr std::array<std::string_view, 4> names{"none", "header", "footer", "both"};
  return names[static_cast<std::size_t>(layout)];
}

std::string_view to_string_view(frame_type type) noexcept {
  switch (type) {
    case frame_type::header_metadata: return "header metadata";
    case frame_type::header_index: return "header index";
    case frame_type::header_hash: return "header hashes";
    case frame_type::object_v2: return "data object (old)";
    case frame_type::footer_hash: return "footer hashes";
    case frame_type::footer_index: return "footer index";
    case frame_type::footer_metadata: return "footer metadata";
    case frame_type::preceder: return "preceder metadata";
    case frame_type::object: return "data object";
  }
  return "unknown";
}

std::string_view to_string_view(selection_error fault) noexcept {
  constexpr std::array<std::string_view, selection_error_count> names{
      "a key is missing",
      "no operator follows the key",
      "a value is missing",
      "and, or, not and has take quotes to be a value",
      "a quote is not closed",
      "a parenthesis is not closed",
      "a parenthesis closes none",
      "neither and nor or comes before this",
      "nested too deep",
      "no fact has this name",
      "the pattern cannot be read",
      "patterns need a build with RE2",
  };
  const auto i = static_cast<std::size_t>(fault);
  return i < names.size() ? names[i] : "unknown";
}

}  // namespace v0
}  // namespace tgmap
