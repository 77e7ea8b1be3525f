// SPDX-License-Identifier: Apache-2.0
#include "archive/common_message.hpp"

#include "archive/common_header.hpp"
#include "archive/state.hpp"
#include "cbor/flat_map_view.hpp"
#include "cbor/skip.hpp"
#include "wire/frame.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

bool common_message::read() noexcept {
  if (message_->version() != 3 ||
      !read_common_header(*state_, window_, *message_, io::window::largest, UINT64_MAX, header_))
    return false;
  const auto body = header_.metadata;
  cbor::flat_map_view top;
  if (body.empty() || body.size() > state_->options().max_metadata_bytes ||
      !cbor::read_flat_map(body, state_->options().max_cbor_depth, top))
    return false;
  bool has_base = false;
  for (const auto& each : std::span(top.entries).first(top.count)) {
    if (each.key == "base") {
      if (has_base || each.value.major != cbor::major::array) return false;
      has_base = true;
      if (!read_base(body.subspan(each.inside, each.end - each.inside), each.value.argument)) return false;
      continue;
    }
    encoded_map* const section = each.key == "_extra_" ? &extra_ : each.key == "_reserved_" ? &reserved_ : nullptr;
    if (section == nullptr || !section->empty() || each.value.major != cbor::major::map) return false;
    *section = body.subspan(each.at, each.end - each.at);
  }
  return true;
}

bool common_message::read_base(std::span<const std::byte> elements, std::uint64_t count) noexcept {
  if (count > header_.objects) return false;
  const std::byte* at = elements.data();
  const std::byte* const end = at + elements.size();
  for (std::size_t j = 0; j < count; ++j) {
    const std::byte* const begin = at;
    if (begin == end) return false;
    at = j + 1 == count ? end : cbor::skip(at, end);
    if (at == nullptr || std::to_integer<unsigned>(*begin) >> 5 != static_cast<unsigned>(cbor::major::map))
      return false;
    base_[j] = {begin, at};
  }
  return true;
}

bool common_message::find(std::size_t j, object_facts& out) noexcept {
  if (!read_common_object(window_, *message_, header_.places[j], out)) return false;
  header_.hashes = header_.hashes || (out.flags & wire::hash_present_flag) != 0;
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
