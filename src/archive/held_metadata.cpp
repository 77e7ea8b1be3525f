// SPDX-License-Identifier: Apache-2.0
#include "archive/held_metadata.hpp"

#include <algorithm>

#include "archive/access.hpp"
#include "archive/state.hpp"
#include "cbor/skip.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Copies the item at the start of `lying`, which is of a file. Where the item ends is known only from its bytes, and
/// what follows may be much longer than it: ever more is read until it is whole.
failure copy_item(const io::source& in, std::span<const std::byte> lying, std::vector<std::byte>& out) {
  constexpr std::size_t first = 4096;
  const auto at = static_cast<std::uint64_t>(lying.data() - in.mapped());
  for (std::size_t size = std::min(first, lying.size());; size += std::min(size, lying.size() - size)) {
    out.resize(size);
    if (failure why = in.load(at, out)) return why;
    if (size == lying.size() || cbor::skip(out.data(), out.data() + size) != nullptr) return {};
  }
}

}  // namespace

failure held_metadata::hold(const message& in, const metadata& from) {
  what_ = from;
  const archive_state* const state = access::state(in);
  if (state == nullptr || !state->bytes().in_file() || state->bytes().mapped() == nullptr) return {};
  for (std::size_t i = 0; i < metadata_access::layers(what_); ++i) {
    const cbor_view& map = metadata_access::map_of_layer(what_, i);
    if (failure why = copy_item(state->bytes(), map.bytes_to_end(), copies_[i])) return located(why, in.position());
    metadata_access::replace_map(what_, i, cbor_view(copies_[i]));
  }
  return {};
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap
