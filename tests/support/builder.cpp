// SPDX-License-Identifier: Apache-2.0
#include <xxhash.h>
#include <algorithm>
#include <cstdio>
#include <support/builder.hpp>

namespace tgmap_test {

namespace {

/// A `writer` writes the frames of a message.
struct writer {
  const message_spec& spec;
  built_message out{};
  bool padded_last = true;

  bool streamed() const { return spec.writing != writing::buffered; }

  void pad() { out.data.resize((out.data.size() + 7) / 8 * 8, '\0'); }

  void frame(std::uint16_t type, const bytes& body, std::uint16_t flags, std::uint64_t cbor_offset,
             std::uint16_t frame_version = 1) {
    pad();
    const bool hashed = spec.version == 3 && spec.hashes;
    const bool has_object_tail = type == 9 || (type == 4 && spec.version == 2);
    bytes tail = has_object_tail ? big_endian(cbor_offset, 8) : bytes{};
    if (spec.version == 3) tail += big_endian(hashed ? xxh3(body) : 0, 8);
    tail += "ENDF";
    const std::uint64_t length = 16 + body.size() + tail.size();
    out.frames.push_back({type, out.data.size(), length});
    out.data += "FR" + big_endian(type, 2) + big_endian(frame_version, 2) + big_endian(hashed ? flags | 2u : flags, 2) +
                big_endian(length, 8) + body + tail;
  }

  void frame(const frame_spec& raw) { frame(raw.type, raw.body, raw.flags, 16, raw.version); }

  void object(const object_spec& object) {
    const std::uint16_t type = object.type.value_or(spec.version == 2 ? 4 : 9);
    bytes region = object.payload;
    for (const auto& mask : object.masks) region += mask.blob;
    const bytes descriptor = object.descriptor.value_or(descriptor_of(object, spec.hashes ? spec.version : 3));
    if (object.cbor_first)
      frame(type, descriptor + region, 0, 16);
    else
      frame(type, region + descriptor, 1, 16 + region.size());
    out.objects.push_back(out.frames.back().offset);
  }

  bytes metadata(bool whole) const {
    std::vector<cbor::pair> top;
    if (!spec.base.empty()) top.push_back(cbor::key("base", cbor::array(spec.base)));
    if (!spec.extra.empty()) top.push_back(cbor::key("_extra_", cbor::map(spec.extra)));
    if (spec.version == 2) top.push_back(cbor::key("version", cbor::integer(2)));
    if (whole && spec.reserved) top.push_back(cbor::key("_reserved_", *spec.reserved));
    top.insert(top.end(), spec.top.begin(), spec.top.end());
    return cbor::map(top);
  }

  bytes index(index_spec table) const {
    if (spec.version == 2) table.count = table.offsets.size();
    if (spec.lie) spec.lie(table);
    std::vector<cbor::pair> keys{cbor::key("lengths", cbor::numbers(table.lengths)),
                                 cbor::key("offsets", cbor::numbers(table.offsets))};
    if (table.count) keys.push_back(cbor::key("object_count", cbor::unsigned_integer(*table.count)));
    return cbor::map(keys);
  }

  bytes digests(const std::vector<std::string>& list) const {
    std::vector<bytes> items;
    for (const auto& digest : list) items.push_back(cbor::text(digest));
    if (spec.version == 3)
      return cbor::map({cbor::key("hashes", cbor::array(items)), cbor::key("algorithm", cbor::text("xxh3"))});
    return cbor::map({cbor::key("hashes", cbor::array(items)), cbor::key("hash_type", cbor::text("xxh3")),
                      cbor::key("object_count", cbor::unsigned_integer(items.size()))});
  }

  static bool in(where wanted, where place) { return wanted == place || wanted == where::both; }

  /// Writes all frames, with `table` in the index of the header.
  void lay_out(const index_spec& table, const std::vector<std::string>& hashes) {
    out = {};
    const where index_at = spec.index.value_or(spec.objects.empty() && !streamed() ? where::none
                                               : streamed()                        ? where::footer
                                                                                   : where::header);
    const where metadata_at = spec.metadata.value_or(streamed() ? where::both : where::header);
    const bool digested = spec.hashes && spec.hash_frames && !spec.objects.empty();
    std::uint16_t flags = 0;
    if (in(metadata_at, where::header)) flags |= 1;
    if (in(metadata_at, where::footer)) flags |= 2;
    if (in(index_at, where::header)) flags |= 4;
    if (in(index_at, where::footer)) flags |= 8;
    if (digested) flags |= streamed() ? 32 : 16;
    if (streamed()) flags |= 64;
    if (spec.version == 3 && spec.hashes) flags |= 128;

    out.data = bytes(magic) + big_endian(static_cast<unsigned>(spec.version), 2) +
               big_endian(spec.flags.value_or(flags), 2) + bytes(12, '\0');
    if (in(metadata_at, where::header)) frame(1, spec.header_metadata.value_or(metadata(!streamed())), 0, 0);
    if (in(index_at, where::header)) frame(2, index(table), 0, 0);
    if (digested && !streamed()) frame(3, digests(hashes), 0, 0);
    for (const auto& raw : spec.header_frames) frame(raw);
    for (std::size_t i = 0; i <= spec.objects.size(); ++i) {
      if (const auto raw = spec.frames_before.find(i); raw != spec.frames_before.end())
        for (const auto& one : raw->second) frame(one);
      if (const auto junk = spec.junk_before.find(i); junk != spec.junk_before.end()) {
        pad();
        out.data += junk->second;
      }
      if (i == spec.objects.size()) break;
      if (spec.objects[i].preceder) {
        std::vector<cbor::pair> top{cbor::key("base", cbor::array({*spec.objects[i].preceder}))};
        if (spec.version == 2) top.push_back(cbor::key("version", cbor::integer(2)));
        frame(8, cbor::map(top), 0, 0);
      }
      object(spec.objects[i]);
    }

    const std::size_t body_frames = out.frames.size();
    for (const auto& raw : spec.footer_frames) frame(raw);
    if (in(metadata_at, where::footer)) frame(7, spec.footer_metadata.value_or(metadata(true)), 0, 0);
    if (digested && streamed()) frame(5, digests(hashes), 0, 0);
    if (in(index_at, where::footer)) frame(6, index(table), 0, 0);
    if (spec.version == 3 || streamed() || out.frames.size() != body_frames || spec.objects.empty()) pad();
    out.postamble = out.data.size();
    out.first_footer = out.frames.size() > body_frames ? out.frames[body_frames].offset : out.postamble;
    out.data += big_endian(out.first_footer, 8);
    if (spec.version == 3) out.data += big_endian(0, 8);
    out.data += end_magic;
    if (spec.writing != writing::streamed) fix_length(out.data);
  }

  built_message run() {
    index_spec table{
        std::vector<std::uint64_t>(spec.objects.size(), 0), std::vector<std::uint64_t>(spec.objects.size(), 0), {}};
    std::vector<std::string> hashes(spec.objects.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      const auto& object = spec.objects[i];
      bytes region = object.payload;
      for (const auto& mask : object.masks) region += mask.blob;
      const bytes descriptor = object.descriptor.value_or(descriptor_of(object, spec.hashes ? spec.version : 3));
      hashes[i] = spec.version == 2 ? xxh3_hex(object.payload)
                                    : xxh3_hex(object.cbor_first ? descriptor + region : region + descriptor);
    }
    for (;;) {  // the index in the header moves the objects that it lists: repeat until the offsets are right
      lay_out(table, hashes);
      index_spec found;
      for (const auto at : out.objects) {
        found.offsets.push_back(at);
        found.lengths.push_back(get_u64(out.data, at + 8));
      }
      if (found.offsets == table.offsets && found.lengths == table.lengths) return std::move(out);
      table = found;
    }
  }
};

std::vector<std::uint64_t> row_major(const std::vector<std::uint64_t>& shape) {
  std::vector<std::uint64_t> strides(shape.size());
  std::uint64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    strides[d] = step;
    step *= shape[d];
  }
  return strides;
}

}  // namespace

std::uint64_t xxh3(std::string_view data) { return XXH3_64bits(data.data(), data.size()); }

std::string xxh3_hex(std::string_view data) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(xxh3(data)));
  return digits;
}

object_spec bytes_object(bytes payload) {
  object_spec object;
  object.shape = {payload.size()};
  object.payload = std::move(payload);
  return object;
}

bytes descriptor_of(const object_spec& object, int version) {
  std::vector<cbor::pair> keys;
  if (version == 2)
    keys.push_back(cbor::key("hash", cbor::map({cbor::key("type", cbor::text("xxh3")),
                                                cbor::key("value", cbor::text(xxh3_hex(object.payload)))})));
  keys.push_back(cbor::key("ndim", cbor::unsigned_integer(object.shape.size())));
  keys.push_back(cbor::key("type", cbor::text("ntensor")));
  keys.push_back(cbor::key("dtype", cbor::text(object.dtype)));
  if (!object.masks.empty()) {
    std::vector<cbor::pair> masks;
    std::uint64_t at = object.payload.size();
    for (const auto& mask : object.masks) {
      masks.push_back(cbor::key(mask.kind, cbor::map({cbor::key("length", cbor::unsigned_integer(mask.blob.size())),
                                                      cbor::key("method", cbor::text(mask.method)),
                                                      cbor::key("offset", cbor::unsigned_integer(at))})));
      at += mask.blob.size();
    }
    keys.push_back(cbor::key("masks", cbor::map(masks)));
  }
  keys.push_back(cbor::key("shape", cbor::numbers(object.shape)));
  keys.push_back(cbor::key("filter", cbor::text(object.filter)));
  keys.push_back(cbor::key("strides", cbor::numbers(object.strides.value_or(row_major(object.shape)))));
  keys.push_back(cbor::key("encoding", cbor::text(object.encoding)));
  if (object.byte_order) keys.push_back(cbor::key("byte_order", cbor::text(*object.byte_order)));
  keys.push_back(cbor::key("compression", cbor::text(object.compression)));
  keys.insert(keys.end(), object.more.begin(), object.more.end());
  return cbor::map(keys);
}

built_message build(const message_spec& spec) { return writer{spec}.run(); }
bytes message(const message_spec& spec) { return build(spec).data; }

void fix_length(bytes& message) {
  put_u64(message, 16, message.size());
  if (get(message, 8, 2) == 3) put_u64(message, message.size() - 16, message.size());
}

bytes version_1_message(const std::vector<bytes>& payloads) {
  std::vector<bytes> objects, encodings;
  bytes body;
  for (const auto& payload : payloads) {
    objects.push_back(cbor::map({cbor::key("type", cbor::text("ntensor")), cbor::key("ndim", cbor::integer(1)),
                                 cbor::key("shape", cbor::numbers({payload.size()})),
                                 cbor::key("strides", cbor::numbers({1})), cbor::key("dtype", cbor::text("uint8"))}));
    encodings.push_back(
        cbor::map({cbor::key("byte_order", cbor::text("little")), cbor::key("encoding", cbor::text("none")),
                   cbor::key("filter", cbor::text("none")), cbor::key("compression", cbor::text("none"))}));
  }
  const bytes metadata = cbor::map({cbor::key("version", cbor::integer(1)), cbor::key("objects", cbor::array(objects)),
                                    cbor::key("payload", cbor::array(encodings))});
  const std::uint64_t metadata_at = 40 + 8 * payloads.size();
  bytes offsets;
  for (const auto& payload : payloads) {
    offsets += big_endian(metadata_at + metadata.size() + body.size(), 8);
    body += "OBJS" + payload + "OBJE";
  }
  return bytes(magic) + big_endian(metadata_at + metadata.size() + body.size() + 8, 8) + big_endian(metadata_at, 8) +
         big_endian(metadata.size(), 8) + big_endian(payloads.size(), 8) + offsets + metadata + body + bytes(end_magic);
}

}  // namespace tgmap_test
