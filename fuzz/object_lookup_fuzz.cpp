// SPDX-License-Identifier: Apache-2.0
// Checks that header index, footer index, both and the walk find the same objects. The input describes a valid message,
// which is written in each way.
#include <cstdint>
#include <support/builder.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;
using namespace tgmap_test;

namespace {

/// Reads the input byte by byte, and zeros after its end.
struct byte_reader {
  const std::uint8_t* at;
  const std::uint8_t* end;
  bool more() const { return at != end; }
  unsigned next(unsigned below) { return more() ? *at++ % below : 0; }
};

object_spec object_of(byte_reader& input) {
  const unsigned kind = input.next(16);
  object_spec object = bytes_object(bytes(input.next(64), static_cast<char>('a' + kind)));
  object.cbor_first = kind & 1;
  if (kind & 2) object.preceder = cbor::map({cbor::key("p", cbor::integer(kind))});
  if (kind & 4) object.masks = {{.kind = "nan", .blob = bytes(input.next(9), 'm')}};
  if (kind & 8) object.compression = "zstd";
  return object;
}

message_spec message_of(byte_reader& input) {
  message_spec spec;
  spec.version = input.next(2) ? 2 : 3;
  spec.hashes = input.next(4) != 0;
  spec.hash_frames = input.next(4) != 0;
  while (input.more() && spec.objects.size() < 40) {  // enough for a cached message
    switch (input.next(8)) {
      case 0:
        spec.frames_before[spec.objects.size()].push_back(
            {.type = static_cast<std::uint16_t>(10 + input.next(9)), .body = bytes(input.next(40), 'u')});
        break;
      case 1: spec.extra = {cbor::key("x", cbor::integer(input.next(100)))}; break;
      case 2: spec.junk_before[spec.objects.size()] = bytes(input.next(30), '\0'); break;
      default:
        spec.objects.push_back(object_of(input));
        spec.base.push_back(cbor::map({cbor::key("n", cbor::integer(static_cast<int>(spec.objects.size())))}));
    }
  }
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  byte_reader input{bytes, bytes + size};
  message_spec spec = message_of(input);
  std::string expected;
  for (const where index : {where::none, where::header, where::footer, where::both})
    for (const writing how : {writing::buffered, writing::streamed, writing::backfilled}) {
      if (how == writing::backfilled && spec.version == 2) continue;
      spec.index = index;
      spec.writing = how;
      const std::string data = message(spec);
      for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
        const auto archive = in_memory(data, {.lookup = lookup});
        require(archive[0].size() == spec.objects.size(), "all objects are found");
        const std::string found = descriptions_of(archive[0]);
        if (expected.empty()) expected = found;
        require_same(found, expected, "objects do not depend on how they are written and found");
      }
    }
  return 0;
}
