// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata/owned_metadata.hpp"

#include <algorithm>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "cbor/walk.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Copies the CBOR item at the start of `mapped`. Only its bytes say where it ends, and `mapped` may be much longer:
/// reads twice as much until the item is complete.
failure copy_item(const io::source& in, std::span<const std::byte> mapped, std::vector<std::byte>& out) {
  constexpr std::size_t first = 4096;
  const auto at = static_cast<std::uint64_t>(mapped.data() - in.mapped());
  for (std::size_t size = std::min(first, mapped.size());; size += std::min(size, mapped.size() - size)) {
    out.resize(size);
    if (failure why = in.load(at, out)) return why;
    if (size == mapped.size() || cbor::skip(out.data(), out.data() + size) != nullptr) return {};
  }
}

}  // namespace

failure owned_metadata::assign(const message& in, const metadata& metadata) {
  metadata_ = metadata;
  const archive_state* const state = access::state(in);
  if (state == nullptr || !state->bytes().in_file() || state->bytes().mapped() == nullptr) return {};
  for (std::size_t i = 0; i < metadata_access::layers(metadata_); ++i) {
    const cbor_view& map = metadata_access::map_of_layer(metadata_, i);
    if (failure why = copy_item(state->bytes(), map.bytes_to_end(), copies_[i]))
      return with_location(why, in.position());
    metadata_access::replace_map(metadata_, i, cbor_view(copies_[i]));
  }
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
