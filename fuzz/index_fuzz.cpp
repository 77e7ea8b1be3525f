// SPDX-License-Identifier: Apache-2.0
// Checks that a wrong index is never accepted. The input is the body of an index frame of a message of three objects,
// which the walk finds, too. The first byte selects the version, and header or footer.
#include <cstdint>
#include <support/builder.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const bool footer = bytes[0] & 2;
  tgmap_test::message_spec spec;
  spec.version = bytes[0] & 1 ? 2 : 3;
  spec.objects = {tgmap_test::bytes_object("one"), tgmap_test::bytes_object("zwei"), tgmap_test::bytes_object("drei")};
  spec.objects[1].preceder = tgmap_test::cbor::map({tgmap_test::cbor::key("k", tgmap_test::cbor::integer(1))});
  spec.index = tgmap_test::where::none;
  spec.hash_frames = false;
  // The header index has a minimum size, so that the offsets of objects do not depend on the length of the input.
  tgmap_test::bytes body(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  if (!footer && body.size() < 64) body.resize(64, '\0');
  (footer ? spec.footer_frames
          : spec.header_frames) = {{.type = static_cast<std::uint16_t>(footer ? 6 : 2), .body = body}};
  const std::string data = tgmap_test::message(spec);

  const auto indexed = in_memory(data);
  const auto walked = in_memory(data, {.lookup = tgmap::object_lookup::walk});
  tgmap::failure why;
  require(walked[0].size(why) == 3 && !why, "the walk finds three objects");
  const std::size_t count = indexed[0].size(why);
  if (why) return 0;
  require(count == 3, "an accepted index lists every object");
  for (std::size_t j = 0; j < count; ++j) {
    const auto o = indexed[0].at(j, why);
    if (why) continue;  // lengths are compared with the frame when the object is accessed
    require(o.frame().offset() == walked[0][j].frame().offset(), "an object has the offset that the walk finds");
    require_same(description_of(o), description_of(walked[0][j]), "an object has the content that the walk finds");
  }
  return 0;
}
