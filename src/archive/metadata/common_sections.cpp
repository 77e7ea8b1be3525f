// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata/common_sections.hpp"

#include "archive/archive_state.hpp"
#include "cbor/flat_map_view.hpp"
#include "cbor/head.hpp"
#include "cbor/walk.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Returns the beginning of element `j`, a map, of the array whose elements begin at `at`; null if that element is not
/// a map.
const std::byte* map_element(const std::byte* at, const std::byte* end, std::uint64_t j) noexcept {
  for (; j > 0 && at != nullptr; --j) at = cbor::skip(at, end);
  cbor::head entry;
  const std::byte* behind = at;
  const bool is_map = at != nullptr && cbor::read_head(behind, end, entry) && entry.major == cbor::major::map;
  return is_map ? at : nullptr;
}

}  // namespace

bool find_common_places(const archive_state& state, std::uint64_t objects, std::span<const std::byte> body,
                        std::uint64_t wanted, object_cache::metadata_places& out) noexcept {
  cbor::flat_map_view top;
  if (!cbor::read_flat_map(body, state.options().max_cbor_depth, top)) return false;
  bool has_base = false;
  for (const auto& each : std::span(top.entries).first(top.count)) {
    if (each.key == "base") {
      const std::uint64_t count = each.value.argument;
      if (each.value.major != cbor::major::array || count > objects || has_base) return false;
      has_base = true;
      const std::byte *const first = body.data() + each.inside, *const end = body.data() + body.size();
      const auto place_of = [&](std::uint64_t j, std::uint64_t& place) {
        const std::byte* const at = map_element(first, end, j);
        if (at != nullptr) place = static_cast<std::uint64_t>(at - body.data());
        return at != nullptr;
      };
      if (count > 0 && !place_of(0, out.first_entry)) return false;
      if (wanted == 0) out.entry = out.first_entry;
      if (wanted > 0 && wanted < count && !place_of(wanted, out.entry)) return false;
    } else if (each.key == "_extra_") {
      out.extra = each.value.major == cbor::major::map ? each.begin : 0;
    } else if (each.key == "_reserved_") {
      out.reserved = each.value.major == cbor::major::map ? each.begin : 0;
    } else {
      out.free_keys = true;
    }
  }
  return true;
}

bool read_common_sections(const archive_state& state, const message_position& message, const common_header& header,
                          std::uint64_t wanted, metadata_sections& out, failure& why) noexcept {
  why = {};
  if (message.version() != 3 || header.metadata.empty()) return false;
  object_cache::metadata_places places{.body_offset = header.metadata_offset - message.offset(),
                                       .body_size = header.metadata.size(),
                                       .has_one_object = header.objects == 1};
  if (!find_common_places(state, header.objects, header.metadata, wanted, places)) return false;
  const auto body = state.bytes().view(header.metadata_offset, places.body_size, io::budget::structure, why);
  if (why) return true;
  state.objects().add_metadata(message, wanted, places);
  out = common_sections_of(body, places);
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
