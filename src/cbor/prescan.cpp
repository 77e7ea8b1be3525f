// SPDX-License-Identifier: Apache-2.0
#include "cbor/prescan.hpp"

#include <cbor.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cbor/head.hpp"

namespace tgmap::cbor {

namespace {

enum class container_kind : std::uint8_t { array, map, text_pieces, byte_pieces };

/// An open container.
struct level {
  std::uint64_t items_left;  ///< items to come; UINT64_MAX: until a break
  container_kind kind;
  bool expects_key;  ///< for maps
};

/// The state of the callbacks of libcbor's streaming decoder.
struct scan_state {
  std::array<level, max_depth_limit + 1> levels;
  std::size_t depth = 0;
  std::uint32_t max_depth = 0;
  std::uint64_t bytes_left = 0;  ///< after the current item
  bool is_metadata = false;
  bool allows_tags = true;  ///< tags are allowed
  bool after_tag = false;   ///< a tag waits for its item
  bool is_malformed = false;
  bool is_too_deep = false;

  level* innermost() noexcept { return depth == 0 ? nullptr : &levels[depth - 1]; }

  /// Ends an item, and the containers that it completes.
  void complete_item() noexcept {
    while (level* at = innermost()) {
      if (at->kind == container_kind::map) at->expects_key = !at->expects_key;
      if (at->items_left == UINT64_MAX) return;
      if (--at->items_left > 0) return;
      --depth;
    }
  }

  /// Begins an item. Keys of the outermost map must be text, and a string of pieces must have pieces of its kind.
  void begin_item(bool text, bool bytes = false) noexcept {
    level* at = innermost();
    after_tag = false;
    if (at == nullptr) {
      is_malformed |= is_metadata;  // the outermost item must be a map, see container()
      return;
    }
    if (at->kind == container_kind::text_pieces && !text) is_malformed = true;
    if (at->kind == container_kind::byte_pieces && !bytes) is_malformed = true;
    if (is_metadata && depth == 1 && at->kind == container_kind::map && at->expects_key && !text) is_malformed = true;
  }

  void scalar(bool text = false, bool bytes = false) noexcept {
    begin_item(text, bytes);
    complete_item();
  }

  void open(container_kind kind, std::uint64_t items) noexcept {
    if (depth >= max_depth || depth >= max_depth_limit) {
      is_too_deep = true;
      return;
    }
    levels[depth++] = {items, kind, kind == container_kind::map};
    if (items == 0) {
      --depth;
      complete_item();
    }
  }

  /// Begins a container, which has an indefinite length if there is no count.
  void container(container_kind kind, std::optional<std::uint64_t> stated) noexcept {
    const bool outermost_map = depth == 0 && kind == container_kind::map;
    if (!outermost_map || after_tag) begin_item(false);
    if (!stated) return open(kind, UINT64_MAX);
    const std::uint64_t each = kind == container_kind::map ? 2 : 1, count = *stated;
    if (count > bytes_left / each) {
      is_malformed = true;
      return;
    }
    open(kind, count * each);
  }

  void pieces(container_kind kind) noexcept {
    level* at = innermost();
    if (at != nullptr && (at->kind == container_kind::text_pieces || at->kind == container_kind::byte_pieces)) {
      is_malformed = true;
      return;
    }
    begin_item(kind == container_kind::text_pieces, kind == container_kind::byte_pieces);
    // A string does not count against max_depth: `levels` has one more place for it.
    levels[depth++] = {UINT64_MAX, kind, false};
  }

  /// Fast path for tables of offsets. Skips the next integers of an array of definite length, except its last item, and
  /// returns their size. libcbor takes ten times as long for them.
  std::size_t skip_integers(std::span<const std::byte> bytes) noexcept {
    level* const in = innermost();
    if (in == nullptr || in->kind != container_kind::array || in->items_left == UINT64_MAX || after_tag) return 0;
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    head number;
    std::uint64_t max_items = in->items_left - 1;
    while (max_items != 0 && at != end && std::to_integer<unsigned>(*at) >> 5 == 0) {
      const std::byte* behind = at;
      if (!read_head(behind, end, number)) break;  // libcbor reports what is wrong
      at = behind;
      --max_items;
      if (number.info >= 24) at = skip_integers_of_width(at, end, number.info, max_items);
    }
    in->items_left = max_items + 1;
    return static_cast<std::size_t>(at - bytes.data());
  }

  /// Begins a tag. It does not count as an item, but the item after it does.
  void tag() noexcept {
    begin_item(false);
    after_tag = true;
    is_malformed |= !allows_tags;
  }

  void break_() noexcept {
    level* at = innermost();
    if (after_tag || at == nullptr || at->items_left != UINT64_MAX ||
        (at->kind == container_kind::map && !at->expects_key)) {
      is_malformed = true;
      return;
    }
    --depth;
    complete_item();
  }
};

scan_state& of(void* context) noexcept { return *static_cast<scan_state*>(context); }

cbor_callbacks make_callbacks() noexcept {
  cbor_callbacks c{};
  c.uint8 = [](void* s, std::uint8_t) { of(s).scalar(); };
  c.uint16 = [](void* s, std::uint16_t) { of(s).scalar(); };
  c.uint32 = [](void* s, std::uint32_t) { of(s).scalar(); };
  c.uint64 = [](void* s, std::uint64_t) { of(s).scalar(); };
  c.negint8 = [](void* s, std::uint8_t) { of(s).scalar(); };
  c.negint16 = [](void* s, std::uint16_t) { of(s).scalar(); };
  c.negint32 = [](void* s, std::uint32_t) { of(s).scalar(); };
  c.negint64 = [](void* s, std::uint64_t) { of(s).scalar(); };
  c.byte_string = [](void* s, cbor_data, auto) { of(s).scalar(false, true); };
  c.byte_string_start = [](void* s) { of(s).pieces(container_kind::byte_pieces); };
  c.string = [](void* s, cbor_data, auto) { of(s).scalar(true); };
  c.string_start = [](void* s) { of(s).pieces(container_kind::text_pieces); };
  c.array_start = [](void* s, auto count) { of(s).container(container_kind::array, count); };
  c.indef_array_start = [](void* s) { of(s).container(container_kind::array, std::nullopt); };
  c.map_start = [](void* s, auto count) { of(s).container(container_kind::map, count); };
  c.indef_map_start = [](void* s) { of(s).container(container_kind::map, std::nullopt); };
  c.float2 = [](void* s, float) { of(s).scalar(); };
  c.float4 = [](void* s, float) { of(s).scalar(); };
  c.float8 = [](void* s, double) { of(s).scalar(); };
  c.undefined = [](void* s) { of(s).scalar(); };
  c.null = [](void* s) { of(s).scalar(); };
  c.boolean = [](void* s, bool) { of(s).scalar(); };
  c.indef_break = [](void* s) { of(s).break_(); };
  return c;
}

}  // namespace

failure prescan(std::span<const std::byte> bytes, std::uint32_t max_depth, rules keep) noexcept {
  static const cbor_callbacks callbacks = make_callbacks();
  scan_state state;
  state.max_depth = std::min(max_depth, max_depth_limit);
  state.is_metadata = keep == rules::metadata;
  state.allows_tags = keep != rules::untagged;
  std::size_t at = 0;
  do {
    at += state.skip_integers(bytes.subspan(at));
    const auto rest = bytes.subspan(at);
    std::size_t read = 0;
    if (!rest.empty() && std::to_integer<unsigned>(rest[0]) >> 5 == static_cast<unsigned>(major::tag)) {
      // libcbor 0.8 refuses tags 6 to 20 in their short form, which were not assigned when it was written.
      const std::byte* behind = rest.data();
      head tag;
      if (!read_head(behind, rest.data() + rest.size(), tag)) return {.code = errc::bad_cbor, .found = at};
      state.tag();
      read = static_cast<std::size_t>(behind - rest.data());
    } else {
      // libcbor reports a container before the size of its head is known, so counts are bounded by the bytes after its
      // first byte.
      state.bytes_left = rest.empty() ? 0 : rest.size() - 1;
      const cbor_decoder_result result =
          cbor_stream_decode(reinterpret_cast<cbor_data>(rest.data()), rest.size(), &callbacks, &state);
      if (result.status != CBOR_DECODER_FINISHED) state.is_malformed = true;
      read = result.read;
    }
    if (state.is_too_deep) return {.code = errc::cbor_too_deep, .expected = state.max_depth, .found = at};
    if (state.is_malformed) return {.code = errc::bad_cbor, .found = at};
    at += read;
  } while (state.depth > 0 || state.after_tag);
  return {};
}

}  // namespace tgmap::cbor
