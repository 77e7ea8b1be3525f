// SPDX-License-Identifier: Apache-2.0
#include "support/archive_model.hpp"

#include <array>
#include <string>
#include <support/builder.hpp>
#include <support/cbor.hpp>

#include "wire/preamble.hpp"

namespace tgmap_fuzz {

using namespace tgmap_test;
namespace wire = tgmap::wire;

namespace {

/// A `model_writer` writes the archive of a model.
class model_writer {
 public:
  explicit model_writer(seeded_random& numbers) : numbers_(numbers) {}

  bytes write(const archive_model& model) {
    bytes out;
    for (const message_model& m : model.messages) out += m.before + write(m);
    return out + model.rest;
  }

 private:
  bytes write(message_model m) {
    const unsigned version = m.version();
    const bool indexes = !numbers_.one_in(8), hashes = !numbers_.one_in(8), lies = numbers_.one_in(3);
    if (hashes) hash_objects(m, version);
    if (indexes) {
      // An index in the header moves the objects that it lists.
      for (int i = 0; i < 2; ++i)
        rewrite(m, version, index_of(m, version), wire::header_index_frame, wire::footer_index_frame);
      if (lies) lie_in_index(m, version);
    }
    if (hashes) hash_others(m, version);
    bytes out = m.preamble;
    std::uint64_t footer = 0;
    for (const frame_bytes& each : m.frames) {
      if (footer == 0 && wire::phase_of(each.type(), version) == wire::phase::footer) footer = out.size();
      out += each.data;
      out.resize(wire::align8(out.size()), '\0');
      if (numbers_.one_in(64)) out.append(8 * numbers_.below(4), numbers_.one_in(2) ? '\0' : 'p');
    }
    const std::uint64_t end = out.size();
    out += m.postamble;
    if (!m.postamble.empty()) {
      put_u64(out, end, footer == 0 ? end : footer);
      if (get_u64(m.preamble, 16) != 0) put_u64(out, 16, out.size());
      if (version == 3 && get_u64(m.postamble, 8) != 0) put_u64(out, end + 8, out.size());
    }
    if (lies && numbers_.one_in(2)) lie_in_framing(out, end, m, version);
    return out;
  }

  struct index {
    std::vector<std::uint64_t> offsets{}, lengths{};
  };

  static index index_of(const message_model& m, unsigned version) {
    index out;
    std::uint64_t at = wire::preamble_size;
    for (const frame_bytes& each : m.frames) {
      if (wire::is_object(each.type(), version)) {
        out.offsets.push_back(at);
        out.lengths.push_back(each.data.size());
      }
      at = wire::align8(at + each.data.size());
    }
    return out;
  }

  static bytes encoded(const index& list, unsigned version) {
    std::vector<cbor::pair> pairs{cbor::key("lengths", cbor::numbers(list.lengths)),
                                  cbor::key("offsets", cbor::numbers(list.offsets))};
    if (version == 2) pairs.push_back(cbor::key("object_count", cbor::unsigned_integer(list.offsets.size())));
    return cbor::map(pairs);
  }

  static void set_body(frame_bytes& frame, unsigned version, const bytes& body) {
    if (!frame.is_complete(version)) return;
    frame.replace(wire::frame_header_size, frame.data.size() - wire::frame_header_size - frame.tail(version), body,
                  version);
  }

  static void rewrite(message_model& m, unsigned version, const index& list, std::uint16_t type, std::uint16_t other) {
    for (frame_bytes& each : m.frames)
      if (each.type() == type || each.type() == other) set_body(each, version, encoded(list, version));
  }

  /// Makes one entry wrong, with the same length in CBOR if possible.
  void lie_in_index(message_model& m, unsigned version) {
    index list = index_of(m, version);
    if (list.offsets.empty()) return;
    const auto i = static_cast<std::size_t>(numbers_.below(list.offsets.size())), next = i + 1;
    switch (numbers_.below(5)) {
      case 0: list.offsets[i] = other_number(list.offsets[i], numbers_); break;
      case 1: list.lengths[i] = other_number(list.lengths[i], numbers_); break;
      case 2:  // covers the next frame
        if (const auto end = next < list.offsets.size() ? list.offsets[next] + list.lengths[next] : end_of_frames(m))
          list.lengths[i] = end - list.offsets[i];
        if (next < list.offsets.size()) {
          list.offsets.erase(list.offsets.begin() + static_cast<std::ptrdiff_t>(next));
          list.lengths.erase(list.lengths.begin() + static_cast<std::ptrdiff_t>(next));
        }
        break;
      case 3: list.lengths[i] = wire::align8(list.lengths[i]) + 8 * numbers_.below(20); break;
      default: list.lengths.resize(numbers_.below(list.lengths.size() + 2)); break;
    }
    for (frame_bytes& each : m.frames)
      if (each.type() == wire::header_index_frame || each.type() == wire::footer_index_frame)
        if (!numbers_.one_in(4)) set_body(each, version, encoded(list, version));
  }

  static std::uint64_t end_of_frames(const message_model& m) {
    std::uint64_t at = wire::preamble_size;
    for (const frame_bytes& each : m.frames) at = wire::align8(at + each.data.size());
    return at;
  }

  /// Makes a length or an offset of the framing wrong.
  void lie_in_framing(bytes& out, std::uint64_t end, const message_model& m, unsigned version) {
    std::vector<std::size_t> places{16};
    if (!m.postamble.empty()) places.push_back(static_cast<std::size_t>(end));
    if (m.postamble.size() == 24) places.push_back(static_cast<std::size_t>(end) + 8);
    std::size_t at = wire::preamble_size;
    for (const frame_bytes& each : m.frames) {
      places.push_back(at + 8);
      if (wire::is_object(each.type(), version) && each.is_complete(version))
        places.push_back(at + each.data.size() - each.tail(version));
      at = wire::align8(at + each.data.size());
    }
    const std::size_t place = any_of(places, numbers_);
    if (place + 8 <= out.size()) put_u64(out, place, other_number(get_u64(out, place), numbers_));
  }

  static std::string_view body_of(const frame_bytes& frame, unsigned version) {
    const std::string_view all = frame.data;
    return all.substr(wire::frame_header_size, all.size() - wire::frame_header_size - frame.tail(version));
  }

  /// Writes the hash of a frame: in version 3 to its tail, in version 2 to its descriptor.
  static std::string hash_frame(frame_bytes& frame, unsigned version) {
    if (!frame.is_complete(version)) return {};
    if (version == 3) {
      const auto body = body_of(frame, version);
      put_u64(frame.data, frame.data.size() - 12, xxh3(body));
      return xxh3_hex(body);
    }
    const std::size_t at = frame.data.find("evaluep");  // the key "value" and the head of a text of 16 bytes
    if (at == frame.data.npos || frame.data.size() - at < 23 + frame.tail(version)) return {};
    const std::size_t cbor = frame.cbor_at(version);
    if (frame.has_cbor_after_payload() && cbor > wire::frame_header_size)
      frame.data.replace(at + 7, 16, xxh3_hex(std::string_view(frame.data).substr(16, cbor - 16)));
    return frame.data.substr(at + 7, 16);
  }

  static void hash_objects(message_model& m, unsigned version) {
    std::vector<bytes> list;
    for (frame_bytes& each : m.frames)
      if (wire::is_object(each.type(), version)) list.push_back(cbor::text(hash_frame(each, version)));
    std::vector<cbor::pair> pairs{cbor::key("hashes", cbor::array(list)),
                                  cbor::key(version == 3 ? "algorithm" : "hash_type", cbor::text("xxh3"))};
    if (version == 2) pairs.push_back(cbor::key("object_count", cbor::unsigned_integer(list.size())));
    for (frame_bytes& each : m.frames)
      if (each.type() == wire::header_hash_frame || each.type() == wire::footer_hash_frame)
        set_body(each, version, cbor::map(pairs));
  }

  static void hash_others(message_model& m, unsigned version) {
    for (frame_bytes& each : m.frames)
      if (version == 3) hash_frame(each, version);
  }

  seeded_random& numbers_;
};

}  // namespace

archive_model parse(std::string_view data) {
  archive_model out;
  std::size_t done = 0;
  for (std::size_t at = data.find(magic); at != data.npos && data.size() - at >= 24; at = data.find(magic, done)) {
    message_model m{.before = bytes(data.substr(done, at - done)), .preamble = bytes(data.substr(at, 24))};
    done = at + 24;
    for (;;) {
      const std::size_t next = data.substr(0, std::min(data.size(), done + 64)).find("FR", done);
      if (next == data.npos || data.size() - next < 20) break;
      const std::uint64_t size = get_u64(data, next + 8);
      if (size < 20 || size > data.size() - next || data.substr(next + size - 4, 4) != "ENDF") break;
      m.frames.push_back({bytes(data.substr(next, size))});
      done = next + size;
    }
    const std::size_t end = data.find(end_magic, done), size = m.version() == 2 ? 16 : 24;
    if (end != data.npos && end + 8 - done >= size && end - done < 64) {
      m.postamble = data.substr(end + 8 - size, size);
      done = end + 8;
    }
    out.messages.push_back(std::move(m));
  }
  out.rest = data.substr(std::min(done, data.size()));
  return out;
}

bytes write(const archive_model& model, seeded_random& numbers) { return model_writer(numbers).write(model); }

std::uint64_t other_number(std::uint64_t value, seeded_random& numbers) {
  static constexpr std::array<std::uint64_t, 12> odd{0, 1, 2, 3, 4, 7, 8, 255, 4096, 65536, UINT32_MAX, UINT64_MAX};
  switch (numbers.below(5)) {
    case 0: return value + 8 * (1 + numbers.below(4));
    case 1: return value - 8 * (1 + numbers.below(4));
    case 2: return value + 1;
    case 3: return value - 1;
    default: return odd[numbers.below(odd.size())];
  }
}

}  // namespace tgmap_fuzz
