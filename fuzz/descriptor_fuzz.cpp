// SPDX-License-Identifier: Apache-2.0
// The input is the descriptor of a data object, once after its payload region and once before it. Both have the same
// content, and the payload and masks stay within the region.
#include <algorithm>
#include <cstdint>
#include <support/builder.hpp>
#include <support/survey.hpp>

#include "support/archives.hpp"
#include "support/require.hpp"
#include "wire/bytes.hpp"

using namespace tgmap_fuzz;

namespace {

std::string message_of(std::string_view descriptor, int version, bool first) {
  tgmap_test::message_spec spec;
  spec.version = version;
  spec.objects = {tgmap_test::bytes_object("0123456789abcdefghijklmnopqrstuv")};
  spec.objects[0].descriptor = tgmap_test::bytes(descriptor);
  spec.objects[0].cbor_first = first;
  return tgmap_test::message(spec);
}

void check(const tgmap::object& o) {
  require(o.payload_size() <= o.payload_and_masks_size(), "the payload is within its region");
  tgmap::failure why;
  const auto d = o.descriptor(why);
  if (why) return;
  require(d.rank() <= tgmap::max_rank && d.mask_count <= d.mask_list.size(), "rank and masks are within their limits");
  for (const auto& mask : d.masks())
    require(tgmap::wire::fits(mask.offset, mask.length, o.payload_and_masks_size()) && mask.offset >= o.payload_size(),
            "a mask is within the region, after the payload");
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : d.shape()) elements *= extent;
  require(elements == d.element_count, "the number of elements is the product of the shape");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const int version = bytes[0] & 1 ? 2 : 3;
  const std::string_view descriptor(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  std::string seen[2];
  for (const bool first : {false, true}) {
    const std::string data = message_of(descriptor, version, first);
    const auto archive = in_memory(data);
    (void)tgmap_test::survey_of(archive);  // reads views, too
    tgmap::failure why;
    const auto o = archive[0].at(0, why);
    if (!why) check(o);
    seen[first] = why ? why.code.message() : description_of(o);
  }
  // Bytes after the item are ignored if the descriptor follows the payload, and belong to the payload otherwise.
  const bool one_item = tgmap::cbor_view(tgmap_test::span_of(descriptor)).bytes().size() == descriptor.size();
  if (version == 2 && one_item) require_same(seen[0], seen[1], "a descriptor is the same before and after the payload");
  return 0;
}
