// SPDX-License-Identifier: Apache-2.0
#include "cbor/prescan.hpp"

#include <cbor.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cbor/head.hpp"

namespace tgmap::cbor {

namespace {

enum class shape : std::uint8_t { array, map, text_pieces, byte_pieces };

/// An open container.
struct level {
  std::uint64_t left;  ///< items to come; UINT64_MAX: until a break
  shape what;
  bool key_next;  ///< for maps
};

/// The state of the callbacks of libcbor's streaming decoder.
struct scan {
  std::array<level, max_depth_limit + 1> levels;
  std::size_t depth = 0;
  std::uint32_t max_depth = 0;
  std::uint64_t bytes_left = 0;  ///< after the current item
  bool metadata_map = false;
  bool tags = true;     ///< tags are allowed
  bool tagged = false;  ///< a tag waits for its item
  bool bad = false;
  bool too_deep = false;

  level* top() noexcept { return depth == 0 ? nullptr : &levels[depth - 1]; }

  /// Ends an item, and the containers that it completes.
  void completed() noexcept {
    while (level* at = top()) {
      if (at->what == shape::map) at->key_next = !at->key_next;
      if (at->left == UINT64_MAX) return;
      if (--at->left > 0) return;
      --depth;
    }
  }

  /// Begins an item. Only text may be a key of the outermost map, and only pieces may be in a string of pieces.
  void begins(bool text, bool bytes = false) noexcept {
    level* at = top();
    tagged = false;
    if (at == nullptr) {
      bad |= metadata_map;  // the outermost item must be a map, see container()
      return;
    }
    if (at->what == shape::text_pieces && !text) bad = true;
    if (at->what == shape::byte_pieces && !bytes) bad = true;
    if (metadata_map && depth == 1 && at->what == shape::map && at->key_next && !text) bad = true;
  }

  void scalar(bool text = false, bool bytes = false) noexcept {
    begins(text, bytes);
    completed();
  }

  void open(shape shape, std::uint64_t items) noexcept {
    if (depth >= max_depth || depth >= max_depth_limit) {
      too_deep = true;
      return;
    }
    levels[depth++] = {items, shape, shape == shape::map};
    if (items == 0) {
      --depth;
      completed();
    }
  }

  /// Begins a container, of open length if there is no count.
  void container(shape shape, std::optional<std::uint64_t> stated) noexcept {
    const bool outermost_map = depth == 0 && shape == shape::map;
    if (!outermost_map || tagged) begins(false);
    if (!stated) return open(shape, UINT64_MAX);
    const std::uint64_t each = shape == shape::map ? 2 : 1, count = *stated;
    if (count > bytes_left / each) {
      bad = true;
      return;
    }
    open(shape, count * each);
  }

  void pieces(shape shape) noexcept {
    level* at = top();
    if (at != nullptr && (at->what == shape::text_pieces || at->what == shape::byte_pieces)) {
      bad = true;
      return;
    }
    begins(shape == shape::text_pieces, shape == shape::byte_pieces);
    // A string does not count against max_depth; `levels` has one place more for it.
    levels[depth++] = {UINT64_MAX, shape, false};
  }

  /// Returns the size of the following integers in an array of known length, except its last item. Libcbor takes ten
  /// times as long for them, and there may be thousands.
  std::size_t pass_integers(std::span<const std::byte> bytes) noexcept {
    level* const in = top();
    if (in == nullptr || in->what != shape::array || in->left == UINT64_MAX || tagged) return 0;
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    head number;
    std::uint64_t max_items = in->left - 1;
    while (max_items != 0 && at != end && std::to_integer<unsigned>(*at) >> 5 == 0) {
      const std::byte* behind = at;
      if (!read_head(behind, end, number)) break;  // libcbor reports what is wrong
      at = behind;
      --max_items;
      if (number.info >= 24) at = skip_integers_of_width(at, end, number.info, max_items);
    }
    in->left = max_items + 1;
    return static_cast<std::size_t>(at - bytes.data());
  }

  /// Begins a tag, which does not count as an item: the item after it does.
  void tag() noexcept {
    begins(false);
    tagged = true;
    bad |= !tags;
  }

  void break_() noexcept {
    level* at = top();
    if (tagged || at == nullptr || at->left != UINT64_MAX || (at->what == shape::map && !at->key_next)) {
      bad = true;
      return;
    }
    --depth;
    completed();
  }
};

scan& of(void* context) noexcept { return *static_cast<scan*>(context); }

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
  c.byte_string_start = [](void* s) { of(s).pieces(shape::byte_pieces); };
  c.string = [](void* s, cbor_data, auto) { of(s).scalar(true); };
  c.string_start = [](void* s) { of(s).pieces(shape::text_pieces); };
  c.array_start = [](void* s, auto count) { of(s).container(shape::array, count); };
  c.indef_array_start = [](void* s) { of(s).container(shape::array, std::nullopt); };
  c.map_start = [](void* s, auto count) { of(s).container(shape::map, count); };
  c.indef_map_start = [](void* s) { of(s).container(shape::map, std::nullopt); };
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
  scan state;
  state.max_depth = std::min(max_depth, max_depth_limit);
  state.metadata_map = keep == rules::metadata;
  state.tags = keep != rules::untagged;
  std::size_t at = 0;
  do {
    at += state.pass_integers(bytes.subspan(at));
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
      // libcbor reports an item before its size is known: bound counts by the bytes after its first one.
      state.bytes_left = rest.empty() ? 0 : rest.size() - 1;
      const cbor_decoder_result result =
          cbor_stream_decode(reinterpret_cast<cbor_data>(rest.data()), rest.size(), &callbacks, &state);
      if (result.status != CBOR_DECODER_FINISHED) state.bad = true;
      read = result.read;
    }
    if (state.too_deep) return {.code = errc::cbor_too_deep, .expected = state.max_depth, .found = at};
    if (state.bad) return {.code = errc::bad_cbor, .found = at};
    at += read;
  } while (state.depth > 0 || state.tagged);
  return {};
}

}  // namespace tgmap::cbor
