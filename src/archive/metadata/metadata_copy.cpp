// SPDX-License-Identifier: Apache-2.0
// Copies of metadata, which stay readable and unchanged whatever happens to the file.
#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <tgmap/metadata.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/lookup/path_cache.hpp"
#include "archive/metadata/metadata_access.hpp"
#include "cbor/walk.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::metadata_access;

/// Layers, from the first that is copied on, as ranges of a buffer: offset and size.
using ranges = std::array<std::pair<std::size_t, std::size_t>, metadata_access::max_layers>;

/// The rest of a file's last page reads as zeros without an error. Copies rarely end with a zero otherwise.
failure check_copied(const io::source& in, std::span<const std::byte> copy) noexcept {
  return copy.empty() || copy.back() != std::byte{0} ? failure() : in.check_not_truncated();
}

/// Appends a copy of the CBOR item at the start of `mapped`. Only its bytes say where it ends, and `mapped` may be much
/// longer: reads twice as much until the item is complete.
failure append_item(const io::source& in, std::span<const std::byte> mapped, std::vector<std::byte>& out) {
  constexpr std::size_t first = 512;
  const auto at = static_cast<std::uint64_t>(mapped.data() - in.mapped());
  const std::size_t begin = out.size();
  for (std::size_t size = std::min(first, mapped.size());; size += std::min(size, mapped.size() - size)) {
    out.resize(begin + size);
    if (failure why = in.load(at, std::span(out).subspan(begin))) return why;
    const std::byte* const from = out.data() + begin;
    const std::byte* const end = cbor::skip(from, from + size);
    if (end != nullptr) out.resize(begin + static_cast<std::size_t>(end - from));
    if (end != nullptr || size == mapped.size()) return check_copied(in, std::span(out).subspan(begin));
  }
}

/// Copies the layers [from, to). Those of a small frame are next to each other, and take one read.
failure copy_layers(const io::source& in, const metadata& keys, std::size_t from, std::size_t to,
                    std::vector<std::byte>& out, ranges& places) {
  constexpr std::ptrdiff_t small_frame = 4096;
  const auto bytes_of = [&](std::size_t i) { return metadata_access::map_of_layer(keys, i).bytes_to_end(); };
  if (from == to) return {};
  const std::byte* begin = bytes_of(from).data();
  const std::byte* const end = begin + bytes_of(from).size();
  bool share_a_frame = true;
  for (std::size_t i = from; i < to; ++i) {
    const auto layer = bytes_of(i);
    begin = std::min(begin, layer.data());
    share_a_frame = share_a_frame && layer.data() + layer.size() == end;
  }
  if (share_a_frame && end - begin <= small_frame) {
    out.resize(static_cast<std::size_t>(end - begin));
    for (std::size_t i = from; i < to; ++i)
      places[i - from] = {static_cast<std::size_t>(bytes_of(i).data() - begin), bytes_of(i).size()};
    failure why = in.load(static_cast<std::uint64_t>(begin - in.mapped()), out);
    return why ? why : check_copied(in, out);
  }
  for (std::size_t i = from; i < to; ++i) {
    places[i - from].first = out.size();
    if (failure why = append_item(in, bytes_of(i), out)) return why;
    places[i - from].second = out.size() - places[i - from].first;
  }
  return {};
}

void replace_layers(metadata& keys, std::size_t from, std::size_t to, const std::vector<std::byte>& bytes,
                    const ranges& places) noexcept {
  for (std::size_t i = from; i < to; ++i)
    metadata_access::replace_map(keys, i,
                                 cbor_view(std::span(bytes).subspan(places[i - from].first, places[i - from].second)));
}

/// Replaces large message-wide layers by a copy that all objects of the message share, with its own cache of paths.
failure share_wide_layers(const io::source& in, metadata& keys) {
  detail::path_cache& cache = *metadata_access::wide_paths(keys);
  const std::size_t from = metadata_access::wide_from(keys), to = metadata_access::layers(keys);
  const auto* shared = cache.copy();
  if (shared == nullptr) {
    auto made = std::make_unique<detail::path_cache::keys_copy>();
    if (failure why = copy_layers(in, keys, from, to, made->bytes, made->places)) return why;
    made->paths = std::make_unique<detail::path_cache>(made->bytes.size());
    shared = cache.set_copy(std::move(made));
  }
  replace_layers(keys, from, to, shared->bytes, shared->places);
  metadata_access::set_wide_paths(keys, shared->paths.get());
  return {};
}

}  // namespace

metadata_copy metadata_copy::of(const metadata& keys, failure& why) noexcept try {
  why = {};
  metadata_copy out;
  out.keys_ = keys;
  const detail::archive_state* const state = metadata_access::archive(keys);
  if (state == nullptr || !state->bytes().may_change() || state->bytes().mapped() == nullptr) return out;
  const bool shares = metadata_access::wide_paths(keys) != nullptr;
  const std::size_t own = shares ? metadata_access::wide_from(keys) : metadata_access::layers(keys);
  if (own != 0) {
    auto bytes = std::make_shared<std::vector<std::byte>>();
    ranges places{};
    why = copy_layers(state->bytes(), keys, 0, own, *bytes, places);
    if (why) return {};
    replace_layers(out.keys_, 0, own, *bytes, places);
    out.bytes_ = std::move(bytes);
  }
  if (shares) why = share_wide_layers(state->bytes(), out.keys_);
  return why ? metadata_copy() : std::move(out);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

metadata_copy::metadata_copy(const metadata& keys) {
  failure why;
  *this = of(keys, why);
  detail::raise_if(why);
}

std::optional<cbor_view> metadata_copy::find(std::string_view dotted, failure& why) noexcept try {
  why = {};
  if (name_ && dotted == "name") return cbor_view(*name_);
  const auto found = keys_.find(dotted);
  if (!found || dotted != "name" || metadata_access::has_in_layers(keys_, dotted)) return found;
  // The name is in the descriptor, which was not copied.
  const detail::archive_state& state = *metadata_access::archive(keys_);
  if (!state.bytes().may_change() || state.bytes().mapped() == nullptr) return found;
  auto name = std::make_shared<std::vector<std::byte>>();
  why = append_item(state.bytes(), found->bytes_to_end(), *name);
  if (why) return std::nullopt;
  name_ = std::move(name);
  return cbor_view(*name_);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return std::nullopt;
}

std::optional<cbor_view> metadata_copy::find(std::string_view dotted) {
  return detail::or_throw([&](failure& why) { return find(dotted, why); });
}

}  // namespace v0
}  // namespace tgmap
