// SPDX-License-Identifier: Apache-2.0
#include <support/forged/hostile.hpp>
#include <support/samples.hpp>

namespace tgmap_test {

namespace {

bytes preamble(std::uint64_t length) {
  return bytes(magic) + big_endian(3, 2) + bytes(6, '\0') + big_endian(length, 8);
}
bytes frame_start(std::uint64_t length) {
  return "FR" + big_endian(9, 2) + big_endian(1, 2) + bytes(2, '\0') + big_endian(length, 8);
}
bytes small_frame() {
  return "FR" + big_endian(1, 2) + big_endian(1, 2) + bytes(2, '\0') + big_endian(28, 8) + bytes(8, '\0') + "ENDF";
}

/// Returns preambles in the first half, then `end`, then frames without a postamble. The first frame of each preamble
/// ends after `end`.
bytes shared_chain(std::size_t size, const bytes& end, unsigned every = 1) {
  bytes out;
  for (std::size_t n = 0; out.size() < size / 2; ++n)
    out += n % every == 0 ? preamble(0) + frame_start(size / 2 + 40 + 8 - out.size() - 24) : bytes(40, 'x');
  out.resize(size / 2 + 40, 'x');
  out += end;
  const bytes frame = small_frame() + bytes(4, '\0');
  return out + repeated(frame, size - out.size());
}

/// Returns preambles of messages that all end in the bytes that follow.
bytes far_ends(std::size_t size) {
  bytes out;
  while (out.size() < size) out += preamble(48 + (out.size() * 0x9e3779b97f4a7c15u >> 20) % (size - out.size() + 1));
  return out;
}

/// Returns a message of empty objects, without metadata, index and hashes.
message_spec objects(std::size_t count) {
  message_spec spec;
  spec.hashes = false;
  spec.index = spec.metadata = where::none;
  spec.objects.assign(count, bytes_object({}));
  return spec;
}

/// Returns a message of empty objects that takes about `size` bytes.
message_spec objects_in(std::size_t size) {
  const std::size_t one = message(objects(2)).size() - message(objects(1)).size();
  return objects(std::max<std::size_t>(size / one, 1));
}

/// Returns a message of objects in one half and a metadata frame with this body in the other half.
template <class Body>
bytes beside_metadata(std::size_t size, Body&& body_of) {
  message_spec spec = objects_in(size / 2);
  spec.metadata = where::header;
  spec.header_metadata = body_of(spec.objects.size(), size / 2);
  return message(spec);
}

bytes base(const std::vector<bytes>& entries) { return cbor::map({cbor::key("base", cbor::array(entries))}); }

bytes indexed(std::size_t size) {
  message_spec spec = objects_in(size - size / 8);
  spec.index = where::header;
  return message(spec);
}

bytes without_descriptors(std::size_t size) {
  message_spec spec = objects(size / 40);
  for (auto& object : spec.objects) object.descriptor = cbor::map({});
  return message(spec);
}

bytes preceded(std::size_t size) {
  message_spec spec = objects_in(size - size / 3);
  for (auto& object : spec.objects) object.preceder = cbor::map({cbor::key("a", cbor::integer(1))});
  return message(spec);
}

bytes between_unknown_frames(std::size_t size) {
  message_spec spec = objects(16);
  spec.frames_before[0].assign(size / 32, {.type = 77});
  return message(spec);
}

bytes small_messages(std::size_t size, std::size_t object_count, where metadata) {
  message_spec spec = objects(object_count);
  spec.metadata = metadata;
  return repeated(message(spec), size);
}

}  // namespace

bytes repeated(const bytes& piece, std::size_t size) {
  bytes out;
  out.reserve(size + piece.size());
  while (out.size() < size) out += piece;
  return out;
}

const std::vector<hostile>& hostile_to_scans() {
  static const std::vector<hostile> all{
      {"preambles that share a chain of frames without end", [](std::size_t n) { return shared_chain(n, "    ENDF"); }},
      {"preambles that share a frame without its end", [](std::size_t n) { return shared_chain(n, "    NODF"); }},
      {"few such preambles", [](std::size_t n) { return shared_chain(n, "    ENDF", 100); }},
      {"a sound archive before them",
       [](std::size_t n) { return repeated(numbered(1), n / 2) + shared_chain(n / 2, "    ENDF"); }},
      {"streams cut behind a frame", [](std::size_t n) { return repeated(preamble(0) + small_frame(), n); }},
      {"streams cut behind a frame, and padding",
       [](std::size_t n) { return repeated(preamble(0) + small_frame() + bytes(60000, 'p'), n); }},
      {"padding that looks like everything",
       [](std::size_t n) { return repeated(preamble(0) + small_frame() + repeated("F3TENDF3", 60000), n); }},
      {"streams of nothing", [](std::size_t n) { return repeated(preamble(0), n); }},
      {"magic words", [](std::size_t n) { return repeated(bytes(magic), n); }},
      {"preambles that end far away", far_ends},
      {"one byte between messages", [](std::size_t n) { return repeated(numbered(1) + "j", n); }},
      {"sound messages, then damage, by turns",
       [](std::size_t n) { return repeated(numbered_archive(200) + "junk", n); }},
      {"frames that begin like frames",
       [](std::size_t n) { return preamble(0) + repeated(frame_start(40) + bytes(20, 'F') + "ENDF", n); }}};
  return all;
}

const std::vector<hostile>& hostile_to_visits() {
  static const std::vector<hostile> all{
      {"messages of nothing", [](std::size_t n) { return small_messages(n, 0, where::none); }},
      {"messages of nothing, a byte between them",
       [](std::size_t n) { return repeated(message(objects(0)) + "j", n); }},
      {"messages of metadata", [](std::size_t n) { return small_messages(n, 0, where::header); }},
      {"messages of one object", [](std::size_t n) { return small_messages(n, 1, where::header); }},
      {"messages of two objects", [](std::size_t n) { return small_messages(n, 2, where::header); }},
      {"messages of objects that are just enough to be cached",
       [](std::size_t n) { return small_messages(n, 17, where::header); }},
      {"objects", [](std::size_t n) { return message(objects_in(n)); }},
      {"objects in an index", indexed},
      {"objects of a stream that was cut",
       [](std::size_t n) { return message(objects_in(n)).replace(16, 8, 8, '\0').substr(0, n - n / 16); }},
      {"objects without descriptors", without_descriptors},
      {"objects with preceders", preceded},
      {"objects after frames of unknown types", between_unknown_frames},
      {"entries for each object",
       [](std::size_t n) {
         return beside_metadata(n, [](std::size_t count, std::size_t) {
           return base(std::vector<bytes>(count, cbor::map({cbor::key("a", cbor::integer(1))})));
         });
       }},
      {"one entry that is none",
       [](std::size_t n) {
         return beside_metadata(n, [](std::size_t count, std::size_t size) {
           std::vector<bytes> entries(count, cbor::map({cbor::key("a", cbor::text(bytes(size / count, 'a')))}));
           entries.back() = cbor::integer(1);
           return base(entries);
         });
       }},
      {"more entries than objects",
       [](std::size_t n) {
         return beside_metadata(
             n, [](std::size_t, std::size_t size) { return base(std::vector<bytes>(size, cbor::null())); });
       }},
      {"metadata that ends as no CBOR",
       [](std::size_t n) {
         return beside_metadata(n, [](std::size_t, std::size_t size) {
           return cbor::map({cbor::key("a", cbor::text(bytes(size, 'a'))), {cbor::text("b"), "\xff"}});
         });
       }},
      {"free keys and no entries",
       [](std::size_t n) {
         return beside_metadata(n, [](std::size_t, std::size_t size) {
           return cbor::map(std::vector<cbor::pair>(size / 3, cbor::key("k", cbor::integer(1))));
         });
       }},
      {"entries inside each other", [](std::size_t n) {
         return beside_metadata(n, [](std::size_t count, std::size_t size) {
           const bytes deep = cbor::nested(200, cbor::integer(1));
           return base(
               std::vector<bytes>(std::min(count, size / (deep.size() + 3)), cbor::map({cbor::key("a", deep)})));
         });
       }}};
  return all;
}

}  // namespace tgmap_test
